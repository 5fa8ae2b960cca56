/** `halay reflect`: the host contract. */
import { Command, Option } from "commander";
import { analyze } from "../analysis/analyze.ts";
import { byPipelineKey, checkPipeline, type OverrideValues } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import { reflect } from "../reflect/reflection.ts";
import { generateTypeScript } from "../reflect/typescript.ts";
import { jsonText } from "../text/json.ts";
import { nearestName } from "../text/nearest.ts";
import { Source } from "../text/source.ts";
import { readInput } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { collectPairs, colourOption, examples } from "./options.ts";
import { overrideValue } from "./override-value.ts";
import { diagnosticsOf } from "./placed.ts";
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
  const overrides = overridesOf(program, options.override ?? {});
  const refused = pipelineProblems(program, overrides);
  for (const item of refused) io.stderr.write(`${printPretty(item, errors)}\n`);
  if (refused.length > 0) return 1;
  const paint = choosePaint(options.color, io.stdout, io.env);
  const reflection = reflect(program, overrides);
  if (options.format === "ts") io.stdout.write(generateTypeScript(program));
  else if (options.format === "json") io.stdout.write(jsonText(reflection));
  else io.stdout.write(printReflection(reflection, computedDefaults(program), { paint, width: io.stdout.columns }));
  return 0;
}

/** @throws UsageError for a name that no override has */
function overridesOf(program: Program, given: Readonly<Record<string, string>>): OverrideValues {
  for (const name of Object.keys(given)) {
    const known = program.overrides.map((each) => each.name);
    if (known.includes(name) || program.overrides.some((each) => String(each.pipelineId) === name)) continue;
    const near = nearestName(name, known);
    const hint =
      near === null ? `there is ${known.length === 0 ? "none" : known.join(", ")}` : `did you mean ‘${near}’?`;
    throw new UsageError(`there is no override ‘${name}’; ${hint}`);
  }
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, overrideValue(name, text)]));
}

/** Why no pipeline can be made with these values; that some are not given is no fault here. */
function pipelineProblems(program: Program, overrides: OverrideValues): readonly PlacedDiagnostic[] {
  const given = byPipelineKey(program, overrides);
  const all = program.entryPoints.flatMap((entry) => checkPipeline(program, entry, given));
  const wrong = all.filter(({ severity, code }) => severity === "error" && code !== "override-missing");
  const distinct = new Map(wrong.map((item) => [`${item.code} ${item.span.start}`, item]));
  return [...distinct.values()].map((item) => ({ ...item, source: program.source }));
}

/** Defaults as they are written, for those that hang on other overrides. */
function computedDefaults(program: Program): ReadonlyMap<string, string> {
  return new Map(
    program.overrides.flatMap(({ name, declaration: { initializer } }) =>
      initializer === null ? [] : [[name, program.source.text.slice(initializer.span.start, initializer.span.end)]],
    ),
  );
}
