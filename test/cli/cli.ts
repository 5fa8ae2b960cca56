/** Runs the command line in this process, on a folder of its own, with what it writes caught. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Io, Output } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Setting {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly columns?: number;
}

/** A folder with files, removed when the test has ended. */
export function folder(files: NonNullable<Setting["files"]> = {}): string {
  const path = mkdtempSync(join(tmpdir(), "halay-cli-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

export async function halayIn(cwd: string, args: readonly string[], setting: Setting = {}): Promise<Outcome> {
  const texts = { out: "", err: "" };
  const output = (name: "out" | "err"): Output => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal: setting.terminal ?? false,
    columns: setting.columns ?? 80,
  });
  const stdin = setting.stdin ?? "";
  const io: Io = {
    stdout: output("out"),
    stderr: output("err"),
    env: setting.env ?? {},
    cwd,
    readStdin: async () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
  };
  const code = await main(args, io);
  return { code, ...texts };
}

/** The same in a new folder. Arguments are parted by blanks; `'…'` holds them together. */
export function halay(line: string, setting: Setting = {}): Promise<Outcome> {
  return halayIn(folder(setting.files), split(line), setting);
}

export function split(line: string): string[] {
  return [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map((match) => match[0].replaceAll("'", ""));
}

export function fileIn(path: string, name: string): string {
  return readFileSync(join(path, name), "utf8");
}
