/** `halay studio`: the web studio on this machine. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { readInput } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { examples, wholeNumber } from "./options.ts";
import { checkResult, chooseFormat, lookOf, messagesText } from "./report.ts";
import { serveStudio } from "./studio-server.ts";
import { studioSession } from "./studio-session.ts";

interface StudioOptions {
  readonly port: number;
  readonly open: boolean;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUILT = join(ROOT, "dist-studio");
/** The same each time, so that the browser remembers the settings. */
const PORT = 4870;

export function studioCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("studio")
    .summary("open the web studio: editor, contract, results, findings")
    .description(
      "Serves the web studio on 127.0.0.1 and opens it in the browser. Everything runs in the page; nothing is sent " +
        "anywhere, and what is edited there is saved from there.",
    )
    .argument("[file]", "a shader, a launch file, or - for standard input")
    .option("--port <n>", "port; another one is taken where it is not free", wholeNumber, PORT)
    .option("--no-open", "print the address, open no browser");
  examples(command, [
    ["halay studio", "with the start page"],
    ["halay studio shader.wgsl", "with a shader"],
    ["halay studio test.launch.json --no-open", "with a launch, its shaders and its files"],
  ]);
  return command.action(async (file: string | undefined, options: StudioOptions) => {
    exit(await runStudio(file, options, io));
  });
}

async function runStudio(file: string | undefined, { port, open }: StudioOptions, io: Io): Promise<number> {
  if (port > 65535) throw new UsageError(`${port} is no port; the largest is 65535`);
  let session: string | null = null;
  if (file !== undefined) {
    const input = await readInput(file, io);
    if (input.kind === "unreadable") {
      const result = checkResult(input.path, [input.problem], true);
      io.stderr.write(messagesText(result, chooseFormat({}, io.stderr, io.env), lookOf({}, io.stderr, io.env)));
      return 2;
    }
    const { leftOut, ...opened } = studioSession(input, io.cwd);
    for (const name of leftOut) io.stderr.write(`‘${name}’ is too large to be handed over: choose it in the studio\n`);
    session = JSON.stringify(opened);
  }
  if (!existsSync(join(BUILT, "index.html"))) build(io);
  const server = await serveStudio(BUILT, session, port);
  io.stdout.write(`halay studio  ${server.url}\nCtrl+C ends it\n`);
  if (open) openBrowser(server.url);
  await ended();
  await server.close();
  return 0;
}

/** In a checkout it is built when it is first asked for; the package holds it. */
function build(io: Io): void {
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  const sources = join(ROOT, "apps", "studio");
  if (!existsSync(sources) || !existsSync(vite)) throw new UsageError("the studio is not part of this installation");
  io.stderr.write("building the studio…\n");
  const { status, stderr } = spawnSync(process.execPath, [vite, "build", sources, "--logLevel", "error"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the studio could not be built: ${stderr}`);
}

/** Where there is no browser the address stands on the terminal. */
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
