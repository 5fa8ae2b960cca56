/** The command line: `halay COMMAND …`. Exit codes: 0 nothing fails, 1 something does, 2 wrong use or a fault of ours. */
import { Command, CommanderError } from "commander";
import { type Io, type Output, processIo, UsageError } from "./io.ts";
import { COLOUR_CHOICES, examples } from "./options.ts";
import { FORMATS } from "./report.ts";
import type { SanitizeName } from "./sanitize.ts";
import { packageVersion } from "./version.ts";

/** Makes a command; `exit` is told its exit code. */
type Make = (io: Io, exit: (code: number) => void) => Promise<Command>;

const sanitize =
  (name: SanitizeName): Make =>
  async (io, exit) =>
    (await import("./sanitize.ts")).sanitizeCommand(name, io, exit);

/** In the order of the help. Each is loaded when it is called: none waits for what another one needs. */
const COMMANDS: Readonly<Record<string, Make>> = {
  check: async (io, exit) => (await import("./check.ts")).checkCommand(io, exit),
  reflect: async (io, exit) => (await import("./reflect.ts")).reflectCommand(io, exit),
  run: async (io, exit) => (await import("./run.ts")).runCommand(io, exit),
  sanitize: sanitize("sanitize"),
  racecheck: sanitize("racecheck"),
  synccheck: sanitize("synccheck"),
  memcheck: sanitize("memcheck"),
  initcheck: sanitize("initcheck"),
  profile: async (io, exit) => (await import("./profile.ts")).profileCommand(io, exit),
  studio: async (io, exit) => (await import("./studio.ts")).studioCommand(io, exit),
  lsp: async () => (await import("./lsp.ts")).lspCommand(),
};
/** Left out of the help. */
const HIDDEN: ReadonlySet<string> = new Set(["racecheck", "synccheck", "memcheck", "initcheck"]);

/** Runs one command line, without the names of the interpreter and the script; gives the exit code. Never throws. */
export async function main(args: readonly string[], given?: Io): Promise<number> {
  let stderr: Pick<Output, "write"> = given?.stderr ?? process.stderr;
  let code = 2;
  try {
    const io = given ?? processIo();
    ({ stderr } = io);
    const program = await commandLine(args[0], io, (result) => {
      code = result;
    });
    await program.parseAsync(calling(args).map(spelledOut), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) stderr.write(`error: ${error.message}\n`);
    else stderr.write(`halay: internal fault, please report it: ${describe(error)}\n`);
    return 2;
  }
}

/** With the command that is called; with all where it is none of them, for the help and for what may have been meant. */
async function commandLine(called: string | undefined, io: Io, exit: (code: number) => void): Promise<Command> {
  const program = new Command("halay")
    .description("The studio for WGSL compute shaders that share memory.")
    .version(packageVersion(), "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text + wayOut(text)),
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const name of neededFor(called)) {
    const command = await COMMANDS[name](io, exit);
    // Settings of the parent are copied when a command is made by it, not when it is added.
    program.addCommand(command.copyInheritedSettings(program), { hidden: HIDDEN.has(name) });
  }
  return examples(program, [
    ["halay check shader.wgsl", "is it legal?"],
    ["halay reflect shader.wgsl", "what must the host provide?"],
    ["halay run shader.wgsl", "what does it compute?"],
    ["halay run test.launch.json", "does it compute what it should?"],
    ["halay sanitize test.launch.json", "do its invocations race, overflow, wait?"],
    ["halay profile test.launch.json", "where do they queue up?"],
    ["halay studio shader.wgsl", "all of it in the browser"],
  ]);
}

function neededFor(called = ""): readonly string[] {
  if (called === "--version") return [];
  return Object.hasOwn(COMMANDS, called) ? [called] : Object.keys(COMMANDS);
}

/** Help is for commands that there are: of others it is told that there is none. @throws UsageError for a file in place of one */
function calling(args: readonly string[]): readonly string[] {
  const [called = "-"] = args;
  if (called.startsWith("-") || called === "help" || Object.hasOwn(COMMANDS, called)) return args;
  if (!/\.(wgsl|json)$/.test(called)) return args.filter((arg) => arg !== "--help" && arg !== "-h");
  throw new UsageError(`‘${called}’ is no command: ‘halay check ${called}’ checks it, ‘halay run ${called}’ runs it`);
}

/** `--color` alone takes one of its own values only: anything else that follows it may be a file. */
function spelledOut(arg: string, at: number, args: readonly string[]): string {
  if (arg === "--color") return COLOUR_CHOICES.includes(args[at + 1]) ? arg : "--color=always";
  return arg === "--no-color" ? "--color=never" : arg;
}

/** Formats are often taken for options. */
function wayOut(problem: string): string {
  const [, format = ""] = /^error: unknown option '--(\w+)/.exec(problem) ?? [];
  if (!FORMATS.some((each) => each === format)) return "";
  return `(‘--format ${format}’ prints it, ‘--report ${format}=FILE’ writes it to a file)\n`;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
