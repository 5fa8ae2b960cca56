/** spec: #constructor-builtin-function: zero values, conversions and compositions. */
import { commonType, isConvertible } from "../types/conversion.ts";
import { isConcrete, isConstructible } from "../types/predicates.ts";
import type { ArrayType, StructType, Type } from "../types/type.ts";
import { arrayType, remembered } from "../types/type.ts";
import { followAll, Memory, NOWHERE, newStep, recall, remember, type Step } from "./memory.ts";
import { type Resolution, resolved, resolveOverload } from "./overload.ts";
import type { BuiltinCall, BuiltinRow, Resolved, Unresolved } from "./row.ts";
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
  if (typeof target === "string") return target === "array" ? NOWHERE : calls.start(target);
  return isComposite(target) ? NOWHERE : callsOf(target);
}

const calls = new Memory();
const callsOf = remembered(newStep);

/** What has one argument for each part, so that there is nothing to choose. */
function isComposite(target: Type): target is ArrayType | StructType {
  return target.kind === "struct" || target.kind === "array";
}

/** As `resolveConstructor`, where `step` does not recall the call. */
export function resolveConstruction(
  step: Step,
  target: Type | ConstructorName,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  if (target === "array") return inferredArray(args);
  if (typeof target !== "string" && isComposite(target)) return composition(target, args);
  const found = resolveAnew(target, args, constant);
  if (!found.ok) return remember(step, constant, found);
  const { row, args: to, result, converts } = found;
  return remember(step, constant, resolved(row, to, result, construction(result, to), converts));
}

function construction(type: Type, args: readonly Type[]): BuiltinCall {
  return { kind: "construct", type, args };
}

function resolveAnew(
  target: Exclude<Type, ArrayType | StructType> | Exclude<ConstructorName, "array">,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  if (typeof target === "string") return resolveOverload(CONSTRUCTORS.rows(target), null, args, constant);
  if (!isConstructible(target)) return NOT_CONSTRUCTIBLE;
  if (args.length === 0 && isConcrete(target)) return zeroValue(target);
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
    default:
      return resolveOverload(CONSTRUCTORS.rows(target.kind as "bool"), null, args, constant);
  }
}

const NOT_CONSTRUCTIBLE: Unresolved = { ok: false, candidates: [], ambiguous: false };

const zeroValue = remembered((type: Type) => resolved(ZERO_VALUE_ROW, [], type, construction(type, []), false));

// All constructions of one composite type by its parts are one: they are remembered by that type.

/** spec: #array-builtin, #structures-builtin: one argument for each part. */
function composition(target: ArrayType | StructType, args: readonly Type[]): Resolution {
  if (!isConstructible(target)) return NOT_CONSTRUCTIBLE;
  if (args.length === 0 && isConcrete(target)) return zeroValue(target);
  const row = target.kind === "array" ? ARRAY_ROW : STRUCTURE_ROW;
  const count = target.kind === "array" ? target.count : target.members.length;
  if (args.length !== count) return failed(row);
  const whole = target.kind === "array" ? writtenArray(target) : structure(target);
  return args.every((type, index) => isConvertible(type, whole.args[index])) ? whole : failed(row);
}

const structure = remembered((type: Type) => {
  const { members } = type as StructType;
  return composed(
    STRUCTURE_ROW,
    type,
    members.map((member) => member.type),
  );
});
const writtenArray = remembered((type: Type) => composed(ARRAY_ROW, type, elementsOf(type as ArrayType)));
const arrayOfArguments = remembered((type: Type) => composed(INFERRED_ARRAY_ROW, type, elementsOf(type as ArrayType)));

function elementsOf({ count, element }: ArrayType): readonly Type[] {
  return new Array<Type>(count as number).fill(element);
}

function composed(row: BuiltinRow, type: Type, parts: readonly Type[]): Resolved {
  return resolved(row, parts, type, construction(type, parts), true);
}

/** spec: #array-builtin: the element type is the one that all arguments convert to, the count is that of the arguments. */
function inferredArray(args: readonly Type[]): Resolution {
  const element = commonType(args);
  if (element === null || !isConstructible(element)) return failed(INFERRED_ARRAY_ROW);
  return arrayOfArguments(arrayType(element, args.length));
}

function failed(row: BuiltinRow): Unresolved {
  return { ok: false, candidates: [row], ambiguous: false };
}
