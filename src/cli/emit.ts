/** `halay check --emit`: what each compute entry point is lowered to, or the graphs of the uniformity analysis. */
import { advised } from "../analysis/advice/advised.ts";
import { analyze } from "../analysis/analyze.ts";
import { type CheckOptions, targetOf } from "../analysis/options.ts";
import { checkPipeline, evaluateOverrides } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import { uniformityDot } from "../analysis/uniformity/dump.ts";
import { hasErrors, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { IrModule } from "../ir/ir.ts";
import { lower } from "../ir/lower.ts";
import { printModule } from "../ir/print.ts";
import { UnsupportedError } from "../ir/unsupported.ts";
import { makePlan } from "../launch/plan.ts";
import { byPlace } from "../launch/problem.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { nodeFiles } from "../platform/node/files.ts";
import { Source } from "../text/source.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { chosenLanguage } from "./language.ts";
import { diagnosticsOf } from "./placed.ts";
import { checkResult, chooseFormat, isUnreadable, lookOf, messagesText, type ReportOptions, sayIn } from "./report.ts";

export type Emitted = "ir" | "dot";

/** What is emitted of one input. */
interface Emission {
  readonly text: string;
  readonly problems: readonly PlacedDiagnostic[];
  /** What stands in the way and has no place in a text. */
  readonly complaints: readonly string[];
}

/** Writes what is asked for to the output and what is wrong to the error output; gives the exit code. */
export async function emit(
  what: Emitted,
  inputs: readonly Input[],
  target: CheckOptions,
  options: ReportOptions,
  io: Io,
): Promise<number> {
  const look = lookOf(options, io.stderr, io.env);
  const format = chooseFormat(options, io.stderr, io.env);
  const say = sayIn(chosenLanguage(options.lang, io.env));
  let code = 0;
  for (const input of inputs) {
    const { text, problems, complaints } = await emission(what, input, target, io);
    const errors = problems.filter(({ severity }) => severity === "error");
    io.stderr.write(messagesText(checkResult(input.path, say(errors)), format, look));
    for (const complaint of complaints) io.stderr.write(`${input.path}: ${complaint}\n`);
    io.stdout.write(text);
    const failed = errors.length > 0 || complaints.length > 0 || text === "";
    code = Math.max(code, isUnreadable(errors) ? 2 : failed ? 1 : 0);
  }
  return code;
}

async function emission(what: Emitted, input: Input, target: CheckOptions, io: Io): Promise<Emission> {
  if (input.kind === "unreadable") return { text: "", problems: [input.problem], complaints: [] };
  if (input.kind === "launch") return launchEmission(what, input, target, io);
  const program = analyze(new Source(input.text, input.path), advised(target));
  if (what === "dot") return dotEmission([program], target);
  const problems = diagnosticsOf(program);
  return hasErrors(problems) ? { text: "", problems, complaints: [] } : emissionOfEntries(program);
}

/** Of the shaders of a launch, with its overrides. */
async function launchEmission(
  what: Emitted,
  input: Extract<Input, { text: string }>,
  check: CheckOptions,
  io: Io,
): Promise<Emission> {
  const { launch, source, diagnostics } = readLaunch(input.text, input.path);
  if (launch === null) return { text: "", problems: diagnostics, complaints: [] };
  const { steps, report } = await makePlan(launch, { source, check, files: nodeFiles(io.cwd) });
  const problems = [...diagnostics, ...byPlace(report.items)];
  if (what === "dot") {
    return { ...dotEmission([...new Set(steps.map(({ program }) => program))], check), problems };
  }
  const modules = new Map(steps.map(({ program, entry, module }) => [module, moduleText(program, entry.name, module)]));
  return { text: [...modules.values()].join(""), problems, complaints: [] };
}

/** The graphs can be written also where the analysis found fault: that is when they are looked at. */
function dotEmission(programs: readonly Program[], target: CheckOptions): Emission {
  const text = programs.map((program) => uniformityDot(program, targetOf(target)) ?? "").join("");
  return { text, problems: programs.flatMap(diagnosticsOf), complaints: [] };
}

/** Each compute entry point with the defaults of its overrides. */
function emissionOfEntries(program: Program): Emission {
  const compute = program.entryPoints.filter(({ stage }) => stage === "compute");
  const emitted = compute.map((entry): Emission => {
    const wrong = checkPipeline(program, entry, {}).filter(({ code }) => code !== "workgroup-too-large");
    const problems = wrong.map((item) => ({ ...item, source: program.source }));
    if (hasErrors(problems)) return { text: "", problems, complaints: [] };
    try {
      const { module } = lower(program, entry.name, evaluateOverrides(program, {}).values);
      return { text: moduleText(program, entry.name, module), problems: [], complaints: [] };
    } catch (error) {
      if (!(error instanceof UnsupportedError) && !(error instanceof RangeError)) throw error;
      return { text: "", problems: [], complaints: [`${entry.name}: ${error.message}`] };
    }
  });
  return {
    text: emitted.map(({ text }) => text).join(""),
    problems: emitted.flatMap(({ problems }) => problems),
    complaints: compute.length === 0 ? ["there is no compute entry point"] : emitted.flatMap((each) => each.complaints),
  };
}

function moduleText(program: Program, name: string, module: IrModule): string {
  return `// ${program.source.path}: ${name}\n${printModule(module).trimEnd()}\n`;
}
