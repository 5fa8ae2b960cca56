/** `halay reflect`: the host contract of a shader. */
import "../numeric/const-math-exact.ts";
import { Command, Option } from "commander";
import { analyze } from "../analysis/analyze.ts";
import type { OverrideValues } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import { hasErrors, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { reflect } from "../reflect/reflection.ts";
import { generateTypeScript } from "../reflect/typescript.ts";
import { jsonText } from "../text/json.ts";
import { Source } from "../text/source.ts";
import { withFixes } from "./fixes.ts";
import { readInput } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { chosenLanguage } from "./language.ts";
import { collectPairs, examples, outcomeOptions } from "./options.ts";
import { overridesOf, pipelineProblems } from "./overrides.ts";
import { diagnosticsOf } from "./placed.ts";
import { printReflection } from "./print-reflection.ts";
import {
  checkResult,
  chooseFormat,
  exitCodeOf,
  FORMATS,
  type Format,
  type Look,
  lookOf,
  messagesText,
  onlyFailing,
  plainLook,
  type ReportOptions,
  type Say,
  sayIn,
  type Write,
  writeReport,
  writeReports,
} from "./report.ts";
import { checkWritten } from "./written-files.ts";

const OWN_FORMATS = ["pretty", "json", "ts"] as const;
type OwnFormat = (typeof OWN_FORMATS)[number];

interface ReflectOptions extends Omit<ReportOptions, "format" | "report"> {
  readonly format?: OwnFormat;
  readonly report?: readonly { readonly format: Format | OwnFormat; readonly file: string }[];
  readonly override?: Readonly<Record<string, string>>;
}

export function reflectCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("reflect")
    .summary("show what the host must provide: bindings, layouts, sizes")
    .description(
      "Shows the host contract of a shader: entry points, bindings, memory layouts with their padding, overrides, " +
        "workgroup memory. --format ts writes TypeScript: types, and typed views on the bytes of each buffer.",
    )
    .argument("<file>", "a shader, or - for standard input")
    .addOption(new Option("--format <format>", "how it is printed (default: pretty)").choices(OWN_FORMATS))
    .option("--override <name=value>", "value of an override; may be repeated", collectPairs("NAME=VALUE"));
  outcomeOptions(command, [...FORMATS, "ts"]);
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
  const say = sayIn(chosenLanguage(options.lang, io.env));
  const input = await readInput(file, io);
  checkWritten(options, [input], io);
  if (input.kind === "launch") throw new UsageError(`‘${input.path}’ is no shader; reflect takes a WGSL file`);
  if (input.kind === "unreadable") return reported(file, null, [input.problem], true, options, say, io);
  const program = analyze(new Source(input.text, input.path));
  const found = diagnosticsOf(program);
  if (hasErrors(found)) return reported(input.path, null, await withFixes([program], found), false, options, say, io);
  const overrides = overridesOf(program, options.override ?? {});
  // That some values are not given is no fault here.
  const refused = pipelineProblems(program, overrides).filter(({ code }) => code !== "override-missing");
  const contract = refused.length > 0 ? null : { program, overrides };
  return reported(input.path, contract, [...found, ...refused], false, options, say, io);
}

interface Contract {
  readonly program: Program;
  readonly overrides: OverrideValues;
}

/** Prints the contract, what fails to the error output, and the reports; gives the exit code. */
function reported(
  path: string,
  contract: Contract | null,
  diagnostics: readonly PlacedDiagnostic[],
  unreadable: boolean,
  options: ReflectOptions,
  say: Say,
  io: Io,
): number {
  const result = checkResult(path, say(diagnostics), unreadable);
  const failOn = options.failOn ?? "error";
  const { format = "pretty" } = options;
  // A contract for programs says nothing about how messages are read.
  const messageFormat = options.format === "pretty" ? "pretty" : chooseFormat({}, io.stderr, io.env);
  io.stderr.write(messagesText(onlyFailing(result, failOn), messageFormat, lookOf(options, io.stderr, io.env)));
  if (contract !== null && options.quiet !== true) {
    const look = lookOf(options, io.stdout, io.env);
    io.stdout.write(contractText(contract, format, look));
  }
  const report = (own: Format | OwnFormat, write: Write): void => {
    if (contract !== null && isOwn(own)) write(contractText(contract, own, plainLook(say.language)));
    else if (own !== "ts") writeReport([result], own, failOn, say, write);
  };
  writeReports(options.report, report, io);
  return exitCodeOf([result], options);
}

function isOwn(format: Format | OwnFormat): format is OwnFormat {
  return (OWN_FORMATS as readonly string[]).includes(format);
}

function contractText({ program, overrides }: Contract, format: OwnFormat, look: Look): string {
  if (format === "ts") return generateTypeScript(program);
  const reflection = reflect(program, overrides);
  return format === "json" ? jsonText(reflection) : printReflection(reflection, computedDefaults(program), look);
}

/** Defaults as they are written, for those that hang on other overrides. */
function computedDefaults(program: Program): ReadonlyMap<string, string> {
  return new Map(
    program.overrides.flatMap(({ name, declaration: { initializer } }) =>
      initializer === null ? [] : [[name, program.source.text.slice(initializer.span.start, initializer.span.end)]],
    ),
  );
}
