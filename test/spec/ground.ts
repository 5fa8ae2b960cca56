/**
 * Brings signatures of two notations, the pinned one and that of our table, to one form that can be compared: the set of
 * overloads in which every type parameter stands for something. Sets without end (constructible types, texel formats)
 * keep their name.
 */
import { splitTop } from "../../tools/spec/signatures.mjs";

export interface Parameterized {
  readonly name: string;
  /** Template list of the call, null when none is written. */
  readonly template: readonly string[] | null;
  readonly params: readonly string[];
  readonly returns: string | null;
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly conditions: readonly string[];
}

type Bindings = Readonly<Record<string, string>>;

const sizes = ["2", "3", "4"];
const scalars = ["bool", "AbstractInt", "AbstractFloat", "i32", "u32", "f32", "f16"];

/** Words of our table for what the pin spells out or names otherwise. */
const words: Readonly<Record<string, readonly string[]>> = {
  scalar: scalars,
  concrete_scalar: scalars.filter((name) => !name.startsWith("Abstract")),
  concrete_constructible: ["concrete-constructible"],
  host_shareable_fixed_footprint: ["host-shareable-fixed-footprint"],
  // That it holds no atomics and no buffers is a condition of the pin.
  buffer_viewable: ["host-shareable"],
  buffer_array_viewable: ["host-shareable-without-fixed-footprint"],
};

/** `fn clamp(e: T, low: T, high: T) -> T where S: i32|f32, T: S|vecN<S>` and `operator +(…) -> …`. */
export function readSignature(text: string): Parameterized {
  const [signature, constraints = ""] = text.split(/\s+where\s+/);
  const [, name, rest] = /^(?:fn |operator )(<<|>>|[<>]=?|[^\s(<]+)([\s\S]*)$/.exec(signature) ?? [];
  if (!name) throw new SyntaxError(`no signature: ${text}`);
  const [, template, params, returns] = /^(?:<(.*)>)?\((.*)\)(?:\s*->\s*(.+))?$/.exec(rest) ?? [];
  if (params === undefined) throw new SyntaxError(`no parameter list: ${text}`);
  const where: Record<string, readonly string[]> = {};
  const conditions: string[] = [];
  for (const constraint of splitTop(constraints) as string[]) {
    const [, variable, set] = /^(\w+): (.+)$/.exec(constraint) ?? [];
    if (!variable) throw new SyntaxError(`no constraint: ${constraint}`);
    where[variable] = readSet(variable, set, conditions);
  }
  const types = (splitTop(params) as string[]).map((parameter) => normal(parameter.replace(/^\w+\s*:/, "")));
  const own = template === undefined ? null : (splitTop(template) as string[]).map(normal);
  return { name, template: own, params: types, returns: returns ? normal(returns) : null, where, conditions };
}

function readSet(variable: string, set: string, conditions: string[]): readonly string[] {
  const like = /^(\w+) like (\w+)$/.exec(set);
  if (like) {
    conditions.push(`${variable} follows ${like[2]}`);
    return [like[1], `vecN<${like[1]}>`];
  }
  const channel = /^channel of (\w+)$/.exec(set);
  if (channel) return [`channel-format<${channel[1]}>`];
  return set.split("|").flatMap((part) => words[part.trim()] ?? [normal(part)]);
}

function normal(type: string): string {
  return type.replace(/\s+/g, "").replaceAll(",", ", ");
}

/** All overloads without type parameters, as text, sorted. */
export function groundOverloads(signature: Parameterized): string[] {
  const found = new Set<string>();
  for (const bindings of assignments(signature)) {
    if (!signature.conditions.every((condition) => holds(condition, bindings))) continue;
    const put = (type: string) => substitute(type, bindings);
    const template = signature.template ? `<${signature.template.map(put).join(", ")}>` : "";
    const returns = signature.returns ? ` -> ${put(signature.returns)}` : "";
    found.add(unnamed(`${signature.name}${template}(${signature.params.map(put).join(", ")})${returns}`));
  }
  return [...found].sort();
}

/** What an access mode, texel format or channel type may be does not hang on the name of its parameter. */
function unnamed(overload: string): string {
  return overload
    .replace(/channel-format<[\w-]+>/g, "channel-format")
    .replace(/(texture_storage_\w+)<[\w-]+, /g, "$1<texel-format, ")
    .replace(/, (?!read>|write>|read_write>)(?:[A-Z]\w*|access-mode(?:-of<\w+>)?)>/g, ", access-mode>");
}

function* assignments(signature: Parameterized): Generator<Bindings> {
  const types = [...(signature.template ?? []), ...signature.params, signature.returns ?? ""];
  const where: Record<string, readonly string[]> = { ...signature.where };
  for (const type of [...types, ...Object.values(where).flat()])
    for (const size of sizesIn(type)) where[size] ??= sizes;
  const variables = Object.keys(where);
  const choose = function* (index: number, bindings: Bindings): Generator<Bindings> {
    if (index === variables.length) yield bindings;
    else
      for (const value of where[variables[index]]) yield* choose(index + 1, { ...bindings, [variables[index]]: value });
  };
  yield* choose(0, {});
}

/** `N` in `vecN<T>` and `__frexp_result_vecN_f32`, `C` and `R` in `matCxR<T>`. */
function sizesIn(type: string): string[] {
  return [...type.matchAll(/(?:\b|_)(?:vec([A-Z])|mat([A-Z])x([A-Z]))(?![a-z])/g)].flatMap((match) =>
    match.slice(1).filter((size) => size !== undefined),
  );
}

/** Puts values in until nothing changes: an alternative may name another parameter. */
function substitute(type: string, bindings: Bindings): string {
  const sized = type.replace(/((?:\b|_)vec)([A-Z])(?![a-z])|(\bmat)([A-Z])x([A-Z])/g, (whole, vec, n, mat, c, r) =>
    vec ? vec + (bindings[n] ?? n) : mat ? `${mat}${bindings[c] ?? c}x${bindings[r] ?? r}` : whole,
  );
  const next = sized.replace(/(?<![\w-])[A-Za-z_]\w*(?![\w-])/g, (name) => bindings[name] ?? name);
  return next === type ? type : substitute(next, bindings);
}

function holds(condition: string, bindings: Bindings): boolean {
  const type = (name: string) => substitute(name, bindings);
  const isVector = (name: string) => type(name).startsWith("vec");
  const isAbstract = (name: string) => type(name).includes("Abstract");
  const follows = /^(\w+) follows (\w+)$/.exec(condition);
  if (follows) return isVector(follows[1]) === isVector(follows[2]);
  const distinct = /^(\w+) != (\w+)$/.exec(condition);
  if (distinct) return type(distinct[1]) !== type(distinct[2]);
  const both = /^(isVector|isAbstract)\((\w+)\) == \1\((\w+)\)$/.exec(condition);
  if (both) {
    const test = both[1] === "isVector" ? isVector : isAbstract;
    return test(both[2]) === test(both[3]);
  }
  // Layouts and address spaces are for the rules of validation, not for overload resolution.
  return true;
}
