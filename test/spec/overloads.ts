/** Overloads with variables, written out for all types that they stand for. */
import type { BuiltinRow } from "../../src/builtins/row.ts";

export interface Overload {
  readonly name: string;
  readonly template: readonly string[];
  readonly params: readonly string[];
  readonly returns: string | null;
  /** Alternatives of each variable; they can name other variables. */
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly conditions: readonly string[];
}

const sizes = ["2", "3", "4"];
const scalars = ["bool", "AbstractInt", "AbstractFloat", "i32", "u32", "f32", "f16"];
const classes: Readonly<Record<string, readonly string[]>> = {
  scalar: scalars,
  concrete_scalar: ["bool", "i32", "u32", "f32", "f16"],
};

/** What is no list of types: the variable stays in the result. */
const open = new Set([
  "access-mode",
  "access-mode-of<AS>",
  "texel-format",
  "channel-format<F>",
  "concrete-constructible",
  "host-shareable",
  "host-shareable-fixed-footprint",
  "host-shareable-without-fixed-footprint",
]);

/** Reads a row's signature without the parser of the table. */
export function parseRow(row: BuiltinRow): Overload {
  const text = row.signature.replace(/^fn \w+|^operator \S+?(?=\()/, "");
  const [signature, constraints = ""] = text.split(" where ");
  const [, template = "", params, returns = null] = /^(?:<(.*)>)?\((.*)\)(?: -> (.*))?$/.exec(signature)!;
  const where: Record<string, readonly string[]> = {};
  const conditions: string[] = [];
  for (const constraint of splitTop(constraints)) {
    const [variable, alternatives] = constraint.split(": ");
    const like = /^(\w+) like (\w+)$/.exec(alternatives);
    if (like !== null) {
      where[variable] = [like[1], `vecN<${like[1]}>`];
      conditions.push(`${variable} follows ${like[2]}`);
    } else if (!/constructible|viewable|channel/.test(alternatives)) {
      where[variable] = splitTop(alternatives, "|").flatMap((alternative) => classes[alternative] ?? [alternative]);
    }
  }
  return {
    name: row.name,
    template: splitTop(template),
    params: splitTop(params).map((parameter) => parameter.slice(parameter.indexOf(":") + 1).trim()),
    returns,
    where,
    conditions,
  };
}

/** Splits at separators outside of angle brackets. */
function splitTop(text: string, separator = ","): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "<") depth++;
    if (text[at] === ">") depth--;
    if (at === text.length || (text[at] === separator && depth === 0)) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter((part) => part !== "");
}

type Assignment = Readonly<Record<string, string>>;

export function expand(overload: Overload): string[] {
  const { name, template, params, returns } = overload;
  const text = `${name}<${template.join(", ")}>(${params.join(", ")}) -> ${returns ?? ""}`;
  return assignments(overload, text).flatMap((assignment) => {
    const written = substitute(text, assignment);
    return overload.conditions.every((condition) => holds(condition, assignment)) ? [written] : [];
  });
}

/** Every choice for every variable that the overload has, sizes in `vecN` and `matCxR` included. */
function assignments(overload: Overload, text: string): Assignment[] {
  const where: Record<string, readonly string[]> = {};
  for (const [variable, alternatives] of Object.entries(overload.where)) {
    if (!alternatives.some((alternative) => open.has(alternative))) where[variable] = alternatives;
  }
  const all = [text, ...Object.values(where).flat()].join(" ");
  for (const [, ...letters] of all.matchAll(/\bvec([A-Z])|\bmat([A-Z])x([A-Z])/g)) {
    for (const letter of letters) if (letter !== undefined) where[letter] = sizes;
  }
  let list: Assignment[] = [{}];
  for (const [variable, alternatives] of Object.entries(where)) {
    list = list.flatMap((assignment) =>
      alternatives.map((alternative) => ({ ...assignment, [variable]: alternative })),
    );
  }
  return list;
}

function substitute(text: string, assignment: Assignment): string {
  let previous = "";
  let current = text;
  while (current !== previous) {
    previous = current;
    current = current
      .replace(/\bvec([A-Z])\b/g, (whole, size: string) => (size in assignment ? `vec${assignment[size]}` : whole))
      .replace(/\bmat([A-Z])x([A-Z])\b/g, (whole, columns: string, rows: string) =>
        columns in assignment ? `mat${assignment[columns]}x${assignment[rows]}` : whole,
      )
      .replace(/\b[A-Z][A-Z0-9]*\b/g, (variable) => assignment[variable] ?? variable);
  }
  return current;
}

function holds(condition: string, assignment: Assignment): boolean {
  const isVector = (variable: string) => substitute(variable, assignment).startsWith("vec");
  const isAbstract = (variable: string) => substitute(variable, assignment).includes("Abstract");
  const follows = /^(\w+) follows (\w+)$/.exec(condition);
  if (follows !== null) return isVector(follows[1]) === isVector(follows[2]);
  switch (condition) {
    case "isVector(I) == isVector(T)":
      return isVector("I") === isVector("T");
    case "isAbstract(T) == isAbstract(I)":
      return isAbstract("T") === isAbstract("I");
    // Conditions that types alone do not decide, or that leave what another overload has.
    case "T != S":
    case "validAccessMode(AM, AS)":
    case "noAtomicOrBuffer(T)":
    case "layoutConstraints(T, AS)":
      return true;
    default:
      throw new Error(`unknown condition ‘${condition}’`);
  }
}
