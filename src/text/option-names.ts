/** Names of options that a caller gives: one that is not known was meant to do something. */
import { nearestName } from "./nearest.ts";

/** All names of some options; the compiler sees to it that none is missing. */
export type NamesOf<Options> = { readonly [Name in keyof Required<Options>]: true };
export type Names = Readonly<Record<string, true>>;

/** @param where before the name in messages, of options inside of others: `contention.` */
export function checkNames(options: unknown, known: Names, where = ""): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(
      where === "" ? `options are an object, not ${options}` : `‘${where.slice(0, -1)}’ is an object, not ${options}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const near = nearestName(name, Object.keys(known));
    const meant = near === null ? `; there are ${Object.keys(known).join(", ")}` : `: did you mean ‘${where}${near}’?`;
    throw new TypeError(`there is no option ‘${where}${name}’${meant}`);
  }
}
