/**
 * What a function gives back, in words, where its name does not say it: of the atomic functions some return the value from
 * before and some only publish. spec: #atomic-builtin-functions
 */
import { RETURNS } from "../diagnostics/catalogue-builtins.ts";
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";

/** What a builtin function returns, in words; null where there is nothing to say beyond its type. */
export function returnsOf(name: string): string | null {
  return isTold(name) ? RETURNS[`returns-${name}`] : null;
}

/** The same as a part of messages. */
export function returned(name: string): Phrase | null {
  return isTold(name) ? phrase(`returns-${name}`) : null;
}

type Told = keyof typeof RETURNS extends `returns-${infer Name}` ? Name : never;

function isTold(name: string): name is Told {
  return Object.hasOwn(RETURNS, `returns-${name}`);
}
