/** `halay check`: legality, warnings, advice. */
import "../diagnostics/catalogue-beyond.ts";
import { Command, InvalidArgumentError, Option } from "commander";
import { advised } from "../analysis/advice/advised.ts";
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import { BROWSER_NAMES, type BrowserName } from "../analysis/targets.ts";
import { ENABLE_EXTENSIONS, LANGUAGE_EXTENSIONS } from "../builtins/extensions.ts";
import { CATALOGUE, type DiagnosticCode } from "../diagnostics/catalogue.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { triggeringRule } from "../diagnostics/filter.ts";
import { nearestName } from "../text/nearest.ts";
import { Source } from "../text/source.ts";
import type { Emitted } from "./emit.ts";
import { withFixes } from "./fixes.ts";
import { gatherInputs, type Input } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";
import { collectPairs, examples, listOf, reportOptions } from "./options.ts";
import { overridesOf, overrideValue, pipelineProblems } from "./overrides.ts";
import { diagnosticsOf } from "./placed.ts";
import { checkResult, type InputResult, isUnreadable, Reporter, type ReportOptions } from "./report.ts";
import { checkWritten } from "./written-files.ts";

interface CheckCommandOptions extends ReportOptions {
  readonly features?: readonly string[];
  readonly target?: readonly BrowserName[];
  readonly advice: boolean;
  readonly off?: readonly string[];
  readonly emit?: Emitted;
  readonly override?: Overrides;
  readonly baseline?: string;
}

type Overrides = Readonly<Record<string, string>>;

export function checkCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command("check")
    .summary("say whether shaders are legal, with the reason and the place")
    .description(
      "Checks WGSL shaders, and launch files with the shaders they name, against the rules of WGSL. Folders are " +
        "searched for .wgsl files; - is standard input; without arguments every *.launch.json below this folder is checked.",
    )
    .argument("[files...]", "shaders, folders, launch files, or -")
    .option(
      "--features <list>",
      "WebGPU and language features that are there, by comma; none for none (default: all)",
      listOf,
    )
    .option("--target <list>", `browsers that the shaders are for: ${BROWSER_NAMES.join(", ")}, by comma`, browsersOf)
    .option("--no-advice", "say only what is illegal, not what is unwise")
    .option(
      "--override <name=value>",
      "value of an override, with which pipelines are checked too; may be repeated",
      collectPairs("NAME=VALUE"),
    )
    .option("--off <list>", "codes of warnings and advice that are not wanted, by comma", codesOf)
    .option("--baseline <file>", "an earlier report (--format json): what it holds is not reported, but for errors")
    .addOption(
      new Option("--emit <what>", "print the intermediate representation, or the uniformity graphs").choices([
        "ir",
        "dot",
      ]),
    );
  reportOptions(command);
  examples(command, [
    ["halay check shader.wgsl", "one shader"],
    ["halay check src --format json", "all shaders below a folder, as JSON"],
    ["cat shader.wgsl | halay check -", "standard input"],
    ["halay check a.wgsl --features shader-f16", "as on a device with this feature only"],
    ["halay check a.wgsl --target chrome,safari", "as in these browsers"],
    ["halay check a.wgsl --off unused-variable", "without this advice"],
    ["halay check src --baseline known.json", "only what is new"],
    ["halay check a.wgsl --emit ir", "what the shader is lowered to"],
  ]);
  return command.action(async (files: readonly string[], options: CheckCommandOptions) => {
    exit(await runCheck(files, options, io));
  });
}

async function runCheck(files: readonly string[], options: CheckCommandOptions, io: Io): Promise<number> {
  const { features, target: browsers, advice, off } = options;
  const target: CheckOptions = {
    ...targetOptions(features),
    advice,
    ...(browsers === undefined ? {} : { target: browsers }),
    ...(off === undefined ? {} : { off }),
  };
  const inputs = await gatherInputs(files, io, "shaders");
  checkWritten(options, inputs, io);
  if (options.emit !== undefined) {
    for (const other of ["report", "baseline"] as const) {
      if (options[other] !== undefined) throw new UsageError(`--emit and --${other} exclude each other`);
    }
    const { emit } = await import("./emit.ts");
    return emit(options.emit, inputs, target, options, io);
  }
  const untold = options.baseline === undefined ? null : await toldBefore(options.baseline, io);
  const reporter = new Reporter(options, io, inputs.length > 1);
  for (const input of inputs) {
    const result = await checkInput(input, target, options.override ?? null, io);
    reporter.add(untold === null ? result : untold(result));
  }
  return reporter.end("file", "nothing-to-report");
}

/** Leaves out of results what a baseline holds. */
async function toldBefore(file: string, io: Io): Promise<(result: InputResult) => InputResult> {
  const { notIn, readBaseline } = await import("./baseline.ts");
  const baseline = readBaseline(file, io);
  return ({ path, diagnostics, unreadable }) => checkResult(path, notIn(baseline, diagnostics), unreadable);
}

async function checkInput(
  input: Input,
  target: CheckOptions,
  overrides: Overrides | null,
  io: Io,
): Promise<InputResult> {
  if (input.kind === "unreadable") return checkResult(input.path, [input.problem], true);
  if (input.kind === "launch") {
    const values = Object.entries(overrides ?? {}).map(([name, text]) => [name, overrideValue(name, text)]);
    const { checkLaunchInput } = await import("./launch-input.ts");
    const diagnostics = await checkLaunchInput(input, target, Object.fromEntries(values), io);
    return checkResult(input.path, diagnostics, isUnreadable(diagnostics));
  }
  const program = analyze(new Source(input.text, input.path), advised(target));
  const found = diagnosticsOf(program);
  const refused =
    overrides !== null && !hasErrors(found) ? pipelineProblems(program, overridesOf(program, overrides)) : [];
  return checkResult(input.path, await withFixes([program], [...found, ...refused]));
}

function browsersOf(text: string): readonly BrowserName[] {
  const names = listOf(text);
  const unknown = names.find((name) => !(BROWSER_NAMES as readonly string[]).includes(name));
  if (unknown === undefined) return names as readonly BrowserName[];
  throw new InvalidArgumentError(`‘${unknown}’ is no browser known here: expected ${BROWSER_NAMES.join(", ")}.`);
}

function codesOf(text: string): readonly string[] {
  const codes = listOf(text);
  for (const code of codes) {
    if (Object.hasOwn(CATALOGUE, code) && triggeringRule(code as DiagnosticCode) !== null) continue;
    const near = nearestName(code, Object.keys(CATALOGUE));
    const hint = near === null ? "" : ` Did you mean ‘${near}’?`;
    throw new InvalidArgumentError(`‘${code}’ is no warning or advice.${hint}`);
  }
  return codes;
}

/** WebGPU names its features with hyphens, WGSL its language features with underscores; a kind of which none is named is whole. */
export function targetOptions(names: readonly string[] | undefined): CheckOptions {
  if (names === undefined) return {};
  const features = new Set([...ENABLE_EXTENSIONS.values()].map(({ feature }) => feature));
  const isNone = names.length === 1 && names[0] === "none";
  for (const name of isNone ? [] : names) {
    if (features.has(name) || LANGUAGE_EXTENSIONS.has(name)) continue;
    const near = nearestName(name, [...features, ...LANGUAGE_EXTENSIONS]);
    throw new UsageError(
      near === null
        ? `‘${name}’ is no feature; there are ${[...features, ...LANGUAGE_EXTENSIONS].join(", ")}`
        : `‘${name}’ is no feature; did you mean ‘${near}’?`,
    );
  }
  const language = names.filter((name) => LANGUAGE_EXTENSIONS.has(name));
  return {
    features: names.filter((name) => features.has(name)),
    ...(language.length > 0 || isNone ? { languageFeatures: language } : {}),
  };
}
