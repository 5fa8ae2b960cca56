/** Options that several commands share, and the values that they take. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { LANGUAGES } from "../diagnostics/translate.ts";
import { FORMATS } from "./report.ts";

/** Adds the options of everything that reports results. */
export function reportOptions(command: Command): Command {
  const format = new Option(
    "--format <format>",
    "how results are printed (default: pretty on a terminal, else compact)",
  );
  return outcomeOptions(command.addOption(format.choices(FORMATS)));
}

/** The same without the format; `formats` are those of reports. */
export function outcomeOptions(command: Command, formats: readonly string[] = FORMATS): Command {
  return command
    .option(
      "--report <format=file>",
      "write a report to a file as well, or to - (the output); may be repeated",
      collectReports(formats),
    )
    .addOption(
      new Option("--fail-on <severity>", "least severity that makes the command fail")
        .choices(["error", "warning", "info"])
        .default("error"),
    )
    .option("--max-warnings <n>", "fail when there are more warnings", wholeNumber)
    .option("--quiet", "print only what fails")
    .addOption(languageOption())
    .addOption(colourOption());
}

function languageOption(): Option {
  return new Option("--lang <language>", "language of messages (default: HALAY_LANG, else en)").choices(LANGUAGES);
}

export const COLOUR_CHOICES: readonly string[] = ["auto", "always", "never"];

function colourOption(): Option {
  const what = "colours: auto, always (what it means alone) or never (see also NO_COLOR)";
  return new Option("--color [when]", what).choices(COLOUR_CHOICES);
}

function collectReports(formats: readonly string[]) {
  return (text: string, before: readonly { format: string; file: string }[] = []) => {
    const [format, file] = nameAndValue(text, "FORMAT=FILE");
    if (!formats.includes(format)) {
      throw new InvalidArgumentError(`‘${format}’ is no format: expected ${formats.join(", ")}.`);
    }
    return [...before, { format, file }];
  };
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError("Expected a whole number from 0.");
  }
  return Number(text);
}

/** Names by comma. */
export function listOf(text: string): readonly [string, ...string[]] {
  const [first, ...others] = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (first === undefined) throw new InvalidArgumentError("Expected one or more names, by comma.");
  return [first, ...others];
}

/** `NAME=VALUE` in its two parts; `form` is what is said when there is no `=`. */
export function nameAndValue(text: string, form: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError(`Expected ${form}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Collects a repeatable option `NAME=VALUE`. */
export function collectPairs(form: string) {
  return (text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
    const [name, value] = nameAndValue(text, form);
    return { ...before, [name]: value };
  };
}

/** Collects a repeatable option `NAME=VALUE` of which one name may have several values. */
export function collectNamed(form: string) {
  return (text: string, before: readonly (readonly [string, string])[] = []) => [...before, nameAndValue(text, form)];
}

/** Collects a repeatable option. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Examples at the end of a command's help. */
export function examples(command: Command, lines: readonly (readonly [string, string])[]): Command {
  const width = Math.max(...lines.map(([line]) => line.length));
  const text = lines.map(([line, what]) => `  $ ${line.padEnd(width)}  ${what}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${text}\n`);
}
