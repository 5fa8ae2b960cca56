/** spec: #constructor-builtin-function: zero values, conversions and compositions. */
import { commonType, isConvertible } from "../types/conversion.ts";
import { isConcrete, isConstructible } from "../types/predicates.ts";
import type { ArrayType, StructType, Type } from "../types/type.ts";
import { arrayType, remembered } from "../types/type.ts";
import { followAll, Memory, newStep, recall, remember, type Step } from "./memory.ts";
import { type Resolution, resolved, resolveOverload } from "./overload.ts";
import type { BuiltinRow, Unresolved } from "./row.ts";
import { ARRAY_ROW, CONSTRUCTORS, INFERRED_ARRAY_ROW, STRUCTURE_ROW, ZERO_VALUE_ROW } from "./table-constructors.ts";

/** A type-generator whose element type can be inferred: `vec3(…)`, `mat2x2(…)`, `array(…)`. */
export type ConstructorName =
  | "array"
  | Exclude<(typeof CONSTRUCTORS)["names"][number], "bool" | "i32" | "u32" | "f32" | "f16">;

const NAMES: ReadonlySet<string> = new Set(
  [...CONSTRUCTORS.names, "array"].filter((name) => /^(?:vec|mat|array)/.test(name)),
);

export function isConstructorName(name: string): name is ConstructorName {
  return NAMES.has(name);
}

/** The overloads that make values of a type by its name without template list; none: there are no such values. */
export function constructorRows(name: string): readonly BuiltinRow[] {
  if (name === "array") return [ARRAY_ROW, INFERRED_ARRAY_ROW];
  const known = CONSTRUCTORS.names.find((each) => each === name);
  return known === undefined ? [] : CONSTRUCTORS.rows(known);
}

/**
 * A call that makes a value. `target`: the type that was written (`vec3f`, `vec3<f32>`, `array<u32, 4>`, a structure, an
 * alias of one), or a generator without template list, whose element type is inferred. `constant`: whether all arguments
 * are const-expressions. A type that cannot be constructed has no candidates.
 */
export function resolveConstructor(
  target: Type | ConstructorName,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const step = followAll(constructorStep(target), args);
  return recall(step, constant) ?? resolveConstruction(step, target, args, constant);
}

/** Where the types of the arguments begin; `follow` leads from one to the next. */
export function constructorStep(target: Type | ConstructorName): Step {
  return typeof target === "string" ? calls.start(target) : callsOf(target);
}

const calls = new Memory();
const callsOf = remembered(newStep);

/** As `resolveConstructor`, where `step` does not recall the call. */
export function resolveConstruction(
  step: Step,
  target: Type | ConstructorName,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const found = resolveAnew(target, args, constant);
  if (!found.ok) return remember(step, constant, found);
  return remember(step, constant, { ...found, call: { kind: "construct", type: found.result, args: found.args } });
}

function resolveAnew(target: Type | ConstructorName, args: readonly Type[], constant: boolean): Resolution {
  if (target === "array") return inferredArray(args);
  if (typeof target === "string") return resolveOverload(CONSTRUCTORS.rows(target), null, args, constant);
  if (!isConstructible(target)) return { ok: false, candidates: [], ambiguous: false };
  if (args.length === 0 && isConcrete(target)) return resolved(ZERO_VALUE_ROW, args, target);
  switch (target.kind) {
    case "vector":
      return resolveOverload(CONSTRUCTORS.rows(`vec${target.size}`), [target.element], args, constant);
    case "matrix":
      return resolveOverload(
        CONSTRUCTORS.rows(`mat${target.columns}x${target.rows}`),
        [target.element],
        args,
        constant,
      );
    case "array":
      return composition(ARRAY_ROW, target, elementTypes(target), args);
    case "struct":
      return composition(STRUCTURE_ROW, target, memberTypes(target), args);
    default:
      return resolveOverload(CONSTRUCTORS.rows(target.kind as "bool"), null, args, constant);
  }
}

function elementTypes(type: ArrayType): readonly Type[] {
  return Array.from({ length: type.count as number }, () => type.element);
}

function memberTypes(type: StructType): readonly Type[] {
  return type.members.map((member) => member.type);
}

/** spec: #array-builtin, #structures-builtin: one argument for each part. */
function composition(row: BuiltinRow, result: Type, parts: readonly Type[], args: readonly Type[]): Resolution {
  return args.length === parts.length && args.every((type, index) => isConvertible(type, parts[index]))
    ? resolved(row, parts, result)
    : failed(row);
}

/** spec: #array-builtin: the element type is the one that all arguments convert to, the count is that of the arguments. */
function inferredArray(args: readonly Type[]): Resolution {
  const element = commonType(args);
  if (element === null || !isConstructible(element)) return failed(INFERRED_ARRAY_ROW);
  const result = arrayType(element, args.length);
  const wanted = args.map(() => element);
  return resolved(INFERRED_ARRAY_ROW, wanted, result);
}

function failed(row: BuiltinRow): Unresolved {
  return { ok: false, candidates: [row], ambiguous: false };
}
