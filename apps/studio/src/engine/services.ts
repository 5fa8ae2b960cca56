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

/** The check with advice, and fixes: loaded once the rules alone have been answered for a first time. */
let advice: typeof import("./advice.ts") | null = null;

async function loadAdvice(): Promise<void> {
  if (advice !== null) return;
  advice = await import("./advice.ts");
  checked.clear();
}

export function checkedOf({ path, text }: TextFile): CheckResult {
  const key = `${path}\n${text}`;
  const known = checked.get(key) ?? (advice?.check ?? checkRules)(text, { path });
  checked.delete(key);
  checked.set(key, known);
  if (checked.size > KEPT) checked.delete(checked.keys().next().value!);
  return known;
}

export async function inspect(input: InspectInput): Promise<Inspection> {
  if (input.isSecond) await loadAdvice();
  const { program, diagnostics, analysis } = checkedOf(input);
  // Fixes are looked for once everything else has been said.
  const fixesOf = input.isSecond ? advice!.fixesOf : null;
  const placed = diagnostics.map((each) => ({
    ...each,
    fixes: fixesOf?.(analysis, each) ?? each.fixes,
    source: analysis.source,
  }));
  return {
    text: input.text,
    language: input.language,
    isWhole: input.isSecond || (advice !== null && diagnostics.length === 0),
    tokens: highlight(input.text),
    diagnostics: diagnosticsToJson(await inLanguage(placed, input.language)),
    reflection: program === null ? null : reflect(program),
    memory: sharedMemory(analysis),
  };
}
