/** The command line: `halay COMMAND …`. Exit codes: 0 nothing fails, 1 something does, 2 wrong use or a fault of ours. */
import { Command, CommanderError } from "commander";
import { checkCommand } from "./check.ts";
import { type Io, processIo, UsageError } from "./io.ts";
import { lspCommand } from "./lsp.ts";
import { examples } from "./options.ts";
import { profileCommand } from "./profile.ts";
import { reflectCommand } from "./reflect.ts";
import { runCommand } from "./run.ts";
import { sanitizeCommands } from "./sanitize.ts";
import { studioCommand } from "./studio.ts";
import { packageVersion } from "./version.ts";

/** Runs one command line, without the names of the interpreter and the script; gives the exit code. Never throws. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let code = 2;
  const program = commandLine(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args.map(spelledOut), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) io.stderr.write(`error: ${error.message}\n`);
    else io.stderr.write(`halay: internal fault, please report it: ${describe(error)}\n`);
    return 2;
  }
}

function commandLine(io: Io, exit: (code: number) => void): Command {
  const program = new Command("halay")
    .description("The studio for WGSL compute shaders that share memory.")
    .version(packageVersion(), "--version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  // Settings of the parent are copied when a command is made by it, not when it is added.
  const add = (command: Command, hidden = false): Command =>
    program.addCommand(command.copyInheritedSettings(program), { hidden });
  for (const make of [checkCommand, reflectCommand, runCommand]) add(make(io, exit));
  const [sanitize, ...aliases] = sanitizeCommands(io, exit);
  add(sanitize);
  for (const alias of aliases) add(alias, true);
  add(profileCommand(io, exit));
  add(studioCommand(io, exit));
  add(lspCommand());
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

/** `--color` alone takes no value: what follows it may be a file. */
function spelledOut(arg: string): string {
  if (arg === "--color") return "--color=always";
  return arg === "--no-color" ? "--color=never" : arg;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
