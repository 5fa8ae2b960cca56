/** `halay reflect`: the host contract. */
import { Command, Option } from "commander";
import { analyze } from "../analysis/analyze.ts";
import type { OverrideValues } from "../analysis/overrides.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import { reflect } from "../reflect/reflection.ts";
import { generateTypeScript } from "../reflect/typescript.ts";
import { Source } from "../text/source.ts";
import { diagnosticsOf } from "./check.ts";
import { readInput } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { jsonText } from "./json.ts";
import { collectPairs, colourOption, examples } from "./options.ts";
import { overrideValue } from "./override-value.ts";
import { printReflection } from "./print-reflection.ts";
import { type ColourChoice, choosePaint } from "./report.ts";

interface ReflectOptions {
  readonly format: "pretty" | "json" | "ts";
  readonly override?: Readonly<Record<string, string>>;
  readonly color?: ColourChoice;
}

export function reflectCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("reflect")
    .summary("show what the host must provide: bindings, layouts, sizes")
    .description(
      "Shows the host contract of a shader: entry points, bindings, memory layouts with their padding, overrides, " +
        "workgroup memory. --format ts writes TypeScript: types, and typed views on the bytes of each buffer.",
    )
    .argument("<file>", "a shader, or - for standard input")
    .addOption(new Option("--format <format>", "how it is printed").choices(["pretty", "json", "ts"]).default("pretty"))
    .option("--override <name=value>", "value of an override; may be repeated", collectPairs("NAME=VALUE"))
    .addOption(colourOption());
  examples(command, [
    ["halay reflect shader.wgsl", "tables for people"],
    ["halay reflect shader.wgsl --format json", "for programs"],
    ["halay reflect shader.wgsl --format ts > shader.ts", "types and views for the host"],
    ["halay reflect shader.wgsl --override size=64", "with the value of an override"],
  ]);
  return command.action(async (file: string, options: ReflectOptions) => {
    exit(await runReflect(file, options, io));
  });
}

async function runReflect(file: string, options: ReflectOptions, io: Io): Promise<number> {
  const input = await readInput(file, io);
  const errors = { paint: choosePaint(options.color, io.stderr, io.env), width: io.stderr.columns };
  if (input.kind === "unreadable") {
    io.stderr.write(printPretty(input.problem, errors));
    return 2;
  }
  if (input.kind === "launch") throw new UsageError(`‘${input.path}’ is no shader; reflect takes a WGSL file`);
  const program = analyze(new Source(input.text, input.path));
  const wrong = diagnosticsOf(program).filter(({ severity }) => severity === "error");
  for (const item of wrong) io.stderr.write(`${printPretty(item, errors)}\n`);
  if (wrong.length > 0) return 1;
  const overrides: OverrideValues = Object.fromEntries(
    Object.entries(options.override ?? {}).map(([name, text]) => [name, overrideValue(name, text)]),
  );
  const paint = choosePaint(options.color, io.stdout, io.env);
  const reflection = reflect(program, overrides);
  if (options.format === "ts") io.stdout.write(generateTypeScript(program));
  else if (options.format === "json") io.stdout.write(jsonText(reflection));
  else io.stdout.write(printReflection(reflection, { paint, width: io.stdout.columns }));
  return 0;
}
