/** What the commands need of the process that they run in; tests give one of their own. */
import { fstatSync } from "node:fs";
import { LARGEST_TEXT } from "../launch/decode.ts";
import { fileReason } from "../platform/node/file-reason.ts";

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; a usual number where there is none. */
  readonly columns: number;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that paths are relative to. */
  readonly cwd: string;
  readStdin(): Promise<Uint8Array>;
}

const USUAL_COLUMNS = 100;

/** Name of the standard output where a file is asked for. */
export const STDOUT = "-";

/** @throws UsageError where there is no folder to run in */
export function processIo(): Io {
  return {
    stdout: outputOf(process.stdout, (error) => {
      process.stderr.write(`error: the output cannot be written: ${fileReason(error, "write")}\n`);
    }),
    stderr: outputOf(process.stderr, () => {}),
    env: process.env,
    cwd: currentFolder(),
    readStdin,
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new UsageError(`the current folder cannot be read: ${fileReason(error)}`);
  }
}

function outputOf(stream: NodeJS.WriteStream, failed: (error: Error) => void): Output {
  let open = true;
  // Whoever reads a pipe may have seen enough (`| head`): the rest is not written, and the command ends as it would have.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (open && error.code !== "EPIPE") {
      process.exitCode = 2;
      failed(error);
    }
    open = false;
  });
  return {
    write: (text) => {
      // As bytes: a text that waits for a slow reader may be made of many small ones, each of which would wait as well.
      if (open && text !== "") stream.write(Buffer.from(text));
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      // A pseudo terminal whose size nobody set says 0.
      return stream.columns || USUAL_COLUMNS;
    },
  };
}

async function readStdin(): Promise<Uint8Array> {
  // Node takes a folder for something that has ended.
  if (fstatSync(0).isDirectory()) throw Object.assign(new Error("stdin is a folder"), { code: "EISDIR" });
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    count += chunk.length;
    if (count > LARGEST_TEXT) break; // It may have no end.
  }
  return Buffer.concat(chunks);
}

/** Wrong use: told without a stack, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
