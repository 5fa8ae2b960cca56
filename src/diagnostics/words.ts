/** Words for people in a language: what commands print beside diagnostics. */
import { COUNTED, TERMINAL } from "./catalogue-terminal.ts";
import { type ArgsOf, fillTemplate, type MessageArgs } from "./diagnostic.ts";
import { COUNTED_ES, TERMINAL_ES } from "./languages/es-terminal.ts";
import { COUNTED_TR, TERMINAL_TR } from "./languages/tr-terminal.ts";
import type { LanguageName } from "./translate.ts";

export type TerminalCode = keyof typeof TERMINAL;
export type CountedNoun = keyof typeof COUNTED;
type TerminalArgs<Code extends TerminalCode> = ArgsOf<(typeof TERMINAL)[Code]>;

export interface Words {
  readonly language: LanguageName;
  /** Takes no second argument where the text names no values. */
  say<Code extends TerminalCode>(
    code: Code,
    ...args: keyof TerminalArgs<Code> extends never ? [] : [TerminalArgs<Code>]
  ): string;
  /** `1 file`, `2,000 files`. */
  count(noun: CountedNoun, count: number): string;
  /** 1048576 as `1,048,576`. */
  number(value: number): string;
}

const TEXTS: Readonly<Record<LanguageName, Readonly<Record<TerminalCode, string>>>> = {
  en: TERMINAL,
  es: TERMINAL_ES,
  tr: TERMINAL_TR,
};

const NOUNS: Readonly<Record<LanguageName, Readonly<Record<CountedNoun, readonly [string, string]>>>> = {
  en: COUNTED,
  es: COUNTED_ES,
  tr: COUNTED_TR,
};

export function wordsIn(language: LanguageName): Words {
  const number = (value: number): string => value.toLocaleString(language);
  return {
    language,
    say: (code, ...[args]) => fillTemplate(TEXTS[language][code], (args ?? {}) as MessageArgs),
    count: (noun, count) => fillTemplate(NOUNS[language][noun][count === 1 ? 0 : 1], { n: number(count) }),
    number,
  };
}

export const ENGLISH: Words = wordsIn("en");
