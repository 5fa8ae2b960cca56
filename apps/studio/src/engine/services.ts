/** What is said of a text as soon as it is typed. One check answers all questions about the same text. */
import { type CheckResult, checkRules, diagnosticsToJson, reflect } from "halay";
import { highlight, sharedMemory } from "halay/ide";
import { inLanguage } from "./in-language.ts";
import type { InspectInput, Inspection } from "./protocol.ts";

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The last texts that were checked, newest last: hover and completion ask for the same one again and again. */
const checked = new Map<string, CheckResult>();
const KEPT = 4;

/** The check with advice: loaded once the rules alone have been answered for a first time. */
let check: typeof import("./advice.ts").check | null = null;

export async function loadAdvice(): Promise<void> {
  if (check !== null) return;
  ({ check } = await import("./advice.ts"));
  checked.clear();
}

export function checkedOf({ path, text }: TextFile): CheckResult {
  const key = `${path}\n${text}`;
  const known = checked.get(key) ?? (check ?? checkRules)(text, { path });
  checked.delete(key);
  checked.set(key, known);
  if (checked.size > KEPT) checked.delete(checked.keys().next().value!);
  return known;
}

export async function inspect(input: InspectInput): Promise<Inspection> {
  if (input.withAdvice) await loadAdvice();
  const { program, diagnostics, analysis } = checkedOf(input);
  const placed = diagnostics.map((each) => ({ ...each, source: analysis.source }));
  return {
    text: input.text,
    language: input.language,
    // A text with errors is given no advice.
    isWhole: check !== null || program === null,
    tokens: highlight(input.text),
    diagnostics: diagnosticsToJson(await inLanguage(placed, input.language)),
    reflection: program === null ? null : reflect(program),
    memory: sharedMemory(analysis),
  };
}
