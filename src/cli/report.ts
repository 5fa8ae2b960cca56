/** Results of several inputs, printed in one of the formats, and the exit code that they come to. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Diagnostic, isAtLeast, type PlacedDiagnostic, type Severity } from "../diagnostics/diagnostic.ts";
import { countSeverities, countText } from "../diagnostics/print.ts";
import { printCompact } from "../diagnostics/print-compact.ts";
import { printGithub } from "../diagnostics/print-github.ts";
import { diagnosticsToJson } from "../diagnostics/print-json.ts";
import { printJunit } from "../diagnostics/print-junit.ts";
import { printMarkdown } from "../diagnostics/print-markdown.ts";
import { coloured, type Paint, plain } from "../diagnostics/print-palette.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import { writeSarif } from "../diagnostics/print-sarif.ts";
import { type LanguageName, translated } from "../diagnostics/translate.ts";
import { type Words, wordsIn } from "../diagnostics/words.ts";
import { fileReason } from "../platform/node/file-reason.ts";
import { writeJson } from "../text/json.ts";
import { type Io, type Output, STDOUT, UsageError } from "./io.ts";
import { chosenLanguage } from "./language.ts";
import { packageVersion } from "./version.ts";
import { CANNOT } from "./written-files.ts";

export const FORMATS = ["pretty", "compact", "json", "sarif", "junit", "github", "markdown"] as const;
export type Format = (typeof FORMATS)[number];

/** Formats that are written as one document when all is known. */
const WHOLE = ["json", "sarif", "junit", "markdown"] as const;

function isWhole(format: Format): format is (typeof WHOLE)[number] {
  return (WHOLE as readonly Format[]).includes(format);
}

export type ColourChoice = "auto" | "always" | "never";

export interface ReportOptions {
  readonly format?: Format;
  /** Further reports, written to files. */
  readonly report?: readonly { readonly format: Format; readonly file: string }[];
  /** Least severity that makes the command fail. */
  readonly failOn?: Severity;
  readonly maxWarnings?: number;
  /** Only what fails is printed. */
  readonly quiet?: boolean;
  readonly lang?: LanguageName;
  readonly color?: ColourChoice;
}

/** Says diagnostics in the language that was asked for. */
export interface Say {
  <Item extends Diagnostic>(items: readonly Item[]): readonly Item[];
  readonly language: LanguageName;
}

export function sayIn(language: LanguageName): Say {
  const say = <Item extends Diagnostic>(items: readonly Item[]): readonly Item[] =>
    language === "en" ? items : items.map((item) => translated(item, language));
  return Object.assign(say, { language });
}

/** How text for people is made. */
export interface Look {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly width: number;
  readonly words: Words;
}

/** In files. */
export function plainLook(language: LanguageName): Look {
  return { paint: plain, width: 100, words: wordsIn(language) };
}

/** What became of one input. */
export interface InputResult {
  readonly path: string;
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** The input, or an option about it, could not be read. */
  readonly unreadable: boolean;
  /** It failed for a reason that no diagnostic states: a comparison. */
  readonly failed: boolean;
  /** Its entry in the `results` of the JSON output. */
  toJson(say: Say): unknown;
  /** What is printed for people after the diagnostics; empty where there is nothing more. */
  toText(look: Look): string;
}

/** Of an input of which there is nothing but diagnostics. */
export function checkResult(path: string, diagnostics: readonly PlacedDiagnostic[], unreadable = false): InputResult {
  return {
    path,
    diagnostics,
    unreadable,
    failed: false,
    toJson: (say) => ({ path, diagnostics: diagnosticsToJson(say(diagnostics)) }),
    toText: () => "",
  };
}

/** A file that could not be read makes the exit code 2, wherever it was named. */
export function isUnreadable(diagnostics: readonly PlacedDiagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === "file-unreadable");
}

export function chooseFormat(options: ReportOptions, output: Output, env: Io["env"]): Format {
  if (options.format !== undefined) return options.format;
  if (env.GITHUB_ACTIONS) return "github";
  return output.isTerminal ? "pretty" : "compact";
}

/** An option says it, else NO_COLOR, FORCE_COLOR, and at last whether it is a terminal. */
export function choosePaint(choice: ColourChoice | undefined, output: Output, env: Io["env"]): Paint {
  if (choice === "always" || choice === "never") return choice === "always" ? coloured : plain;
  if (env.NO_COLOR) return plain;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR === "0" ? plain : coloured;
  return output.isTerminal && env.TERM !== "dumb" ? coloured : plain;
}

function fails(result: InputResult, failOn: Severity): boolean {
  return result.failed || result.diagnostics.some(({ severity }) => isAtLeast(severity, failOn));
}

export function lookOf(options: Pick<ReportOptions, "color" | "lang">, output: Output, env: Io["env"]): Look {
  const words = wordsIn(chosenLanguage(options.lang, env));
  return { paint: choosePaint(options.color, output, env), width: output.columns, words };
}

/** In front of the line that says how it went. */
export function verdictMark(paint: Paint, isBad: boolean, { warning }: Readonly<Record<Severity, number>>): string {
  if (isBad) return paint("bad", "✗");
  return warning > 0 ? "!" : paint("good", "✓");
}

/** What is said when all is well. */
export type Good = "nothing-to-report" | "nothing-found" | "all-as-expected";

/** Prints results as they come, where the format allows it, and says in the end what the exit code is. */
export class Reporter {
  readonly #options: ReportOptions;
  readonly #io: Io;
  readonly #format: Format;
  readonly #look: Look;
  readonly #say: Say;
  readonly #results: InputResult[] = [];
  /** Places that were told already: two launches of one shader have its diagnostics twice. */
  readonly #told: Set<string> | null;

  /** `several`: the inputs are more than one. */
  constructor(options: ReportOptions, io: Io, several: boolean) {
    this.#told = several ? new Set() : null;
    this.#options = options;
    this.#io = io;
    this.#format = chooseFormat(options, io.stdout, io.env);
    this.#say = sayIn(chosenLanguage(options.lang, io.env));
    this.#look = lookOf(options, io.stdout, io.env);
  }

  add(untold: InputResult): void {
    const result = { ...untold, diagnostics: this.#say(untold.diagnostics) };
    this.#results.push(result);
    if (isWhole(this.#format)) return;
    const shown = this.#options.quiet ? onlyFailing(result, this.#failOn) : result;
    this.#io.stdout.write(resultText(shown, this.#format, this.#look, this.#told));
  }

  /** Writes what is left and gives the exit code. `noun` says what the inputs are, `good` what is said when all is well; null: nothing. */
  end(noun: "file" | "launch", good: Good | null): number {
    const code = exitCodeOf(this.#results, this.#options);
    const quiet = this.#options.quiet === true && code === 0;
    if (isWhole(this.#format)) {
      wholeReport(this.#results, this.#format, this.#failOn, this.#say, (text) => this.#io.stdout.write(text));
    } else if (this.#format === "pretty" && !quiet) {
      this.#io.stdout.write(this.#summaryLine(noun, good));
    }
    const report = (format: Format, write: Write) => writeReport(this.#results, format, this.#failOn, this.#say, write);
    writeReports(this.#options.report, report, this.#io);
    return code;
  }

  get #failOn(): Severity {
    return this.#options.failOn ?? "error";
  }

  #summaryLine(noun: "file" | "launch", good: Good | null): string {
    const { paint, words } = this.#look;
    const count = this.#results.length;
    const failed = this.#results.filter((result) => fails(result, this.#failOn)).length;
    const all = this.#results.flatMap(({ diagnostics }) => diagnostics);
    const counts = countSeverities(count === 1 ? all : distinct(all));
    const found = countText(counts, words);
    if (good === null && failed === 0 && found === "") return "";
    const verdict = verdictMark(paint, failed > 0, counts);
    const outcome = failed > 0 && count > 1 ? `, ${words.say("some-failed", { count: words.number(failed) })}` : "";
    const told = found === "" ? words.say(failed === 0 && good !== null ? good : "failed") : found;
    return `${verdict} ${words.count(noun, count)}${outcome}: ${told}\n`;
  }
}

/** Takes a text piece by piece: of many findings it is long. */
export type Write = (piece: string) => void;

/** Results of all inputs in a format, without colours. */
export function writeReport(
  results: readonly InputResult[],
  format: Format,
  failOn: Severity,
  say: Say,
  write: Write,
): void {
  if (isWhole(format)) {
    wholeReport(results, format, failOn, say, write);
    return;
  }
  const told = new Set<string>();
  for (const result of results) write(resultText(result, format, plainLook(say.language), told));
}

/** The exit code that results come to. */
export function exitCodeOf(
  results: readonly InputResult[],
  { failOn = "error", maxWarnings = Number.POSITIVE_INFINITY }: Pick<ReportOptions, "failOn" | "maxWarnings">,
): number {
  if (results.some(({ unreadable }) => unreadable)) return 2;
  if (results.some((result) => fails(result, failOn))) return 1;
  const warnings = results.reduce((sum, { diagnostics }) => sum + countSeverities(diagnostics).warning, 0);
  return warnings > maxWarnings ? 1 : 0;
}

/** Each as far as it can be. @throws UsageError, at the end, where one cannot be written */
export function writeReports<Kind>(
  reports: readonly { readonly format: Kind; readonly file: string }[] | undefined,
  report: (format: Kind, write: Write) => void,
  io: Io,
): void {
  const problems: string[] = [];
  for (const { format, file } of reports ?? []) {
    try {
      writeTo(file, (write) => report(format, write), io);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join("; "));
}

function writeTo(file: string, report: (write: Write) => void, io: Io): void {
  if (file === STDOUT) {
    report((piece) => io.stdout.write(piece));
    return;
  }
  // What goes wrong while the report is made has nothing to do with the file.
  const tried = <Value>(step: () => Value): Value => {
    try {
      return step();
    } catch (error) {
      throw new UsageError(`${CANNOT.report(file)}: ${fileReason(error, "write")}`);
    }
  };
  const opened = tried(() => openSync(resolve(io.cwd, file), "w"));
  try {
    report((piece) => tried(() => writeFileSync(opened, piece)));
  } finally {
    tried(() => closeSync(opened));
  }
}

/** Of what was said, what makes it fail. */
export function onlyFailing(result: InputResult, failOn: Severity): InputResult {
  const diagnostics = result.diagnostics.filter(({ severity }) => isAtLeast(severity, failOn));
  return { ...result, diagnostics, toText: (look) => (result.failed ? result.toText(look) : "") };
}

function keyOf({ code, source, span, message }: PlacedDiagnostic): string {
  return `${code}\n${source.path}\n${span.start}\n${span.end}\n${message}`;
}

function distinct(items: readonly PlacedDiagnostic[]): readonly PlacedDiagnostic[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Frames of one input that are shown: nobody reads more. Formats for programs have all. */
const MOST_FRAMES = 50;

/** What is said of an input, where something else goes to the output; formats of whole documents become pretty. */
export function messagesText(result: InputResult, format: Format, look: Look): string {
  return resultText(result, isWhole(format) ? "pretty" : format, look, null);
}

function resultText(result: InputResult, format: Format, look: Look, told: Set<string> | null): string {
  const fresh = result.diagnostics.filter((item) => {
    const isNew = told === null || !told.has(keyOf(item));
    if (isNew) told?.add(keyOf(item));
    return isNew;
  });
  const shown = format === "pretty" ? fresh.slice(0, MOST_FRAMES) : fresh;
  const parts = shown.map((item) => diagnosticText(item, format, look));
  const hidden = fresh.length - shown.length;
  if (hidden > 0) {
    const args = { count: look.words.number(hidden), path: result.path };
    parts.push(`${look.paint("faint", look.words.say("more-in", args))}\n\n`);
  }
  const before = result.diagnostics.length - fresh.length;
  if (before > 0 && format === "pretty") {
    const args = { count: look.words.number(before), path: result.path };
    parts.push(`${look.paint("faint", look.words.say("told-above", args))}\n\n`);
  }
  return parts.join("") + result.toText(look);
}

function diagnosticText(item: PlacedDiagnostic, format: Format, look: Look): string {
  if (format === "compact") return printCompact(item);
  return format === "github" ? printGithub(item) : `${printPretty(item, look)}\n`;
}

function wholeReport(
  results: readonly InputResult[],
  format: (typeof WHOLE)[number],
  failOn: Severity,
  say: Say,
  write: Write,
): void {
  const all = results.flatMap(({ diagnostics }) => diagnostics);
  if (format === "markdown") write(printMarkdown(distinct(all), wordsIn(say.language)));
  else if (format === "sarif") writeSarif(distinct(all), packageVersion(), say.language, write);
  else if (format === "junit") write(printJunit(results, failOn, wordsIn(say.language)));
  else {
    const counts = countSeverities(all);
    const summary = {
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      failed: results.filter((result) => fails(result, failOn)).length,
    };
    const entries = results.map((result) => result.toJson(say));
    writeJson({ version: 1, results: entries, summary }, write);
  }
}
