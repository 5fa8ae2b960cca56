import { UsageError } from "./io.ts";

/** The value of `--override NAME=VALUE`: a number or a truth value. */
export function overrideValue(name: string, text: string): number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) {
    throw new UsageError(`--override ${name}=${text}: expected a number, true or false`);
  }
  return value;
}
