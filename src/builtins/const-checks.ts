/**
 * What is wrong with a call or operation although it is no const-expression, because of those arguments that are known:
 * a constant shift amount, a constant zero divisor, a texel offset. Where all arguments are known, const-evaluation finds
 * the same and more. Override-expressions are checked by the same functions when the pipeline is created.
 */
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type { ScalarType, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { edgesEqual, ldexpError, lowAboveHigh } from "./evaluate-numeric.ts";
import { bitWidthOf, componentAt, failure, numberOf, partsOf, reasonOf, scalarOf } from "./evaluate-parts.ts";
import { signatureOf } from "./overload.ts";
import type { BuiltinRow, EvaluationError } from "./row.ts";

type Known = readonly (ConstValue | null)[];

/** The error for one component; `args`: the scalars there of the arguments that `of` names. */
type ComponentCheck = (args: readonly ConstValue[], element: ScalarType) => Phrase | null;

interface Check {
  /** Indices of the arguments that it looks at: it applies when all of them are known. */
  readonly of: readonly number[];
  readonly check: ComponentCheck;
}

/** spec: #arithmetic-expr: for integers only; a float divided by zero is an error where its value is known. */
const ZERO_DIVISOR: Check = {
  of: [1],
  check: ([divisor], element) =>
    (element.kind === "i32" || element.kind === "u32") && numberOf(divisor) === 0
      ? reasonOf("zero-divisor", element.kind)
      : null,
};

/** spec: #bit-expr */
const SHIFT_AMOUNT: Check = {
  of: [1],
  check: ([amount], element) =>
    numberOf(amount) >= bitWidthOf(element.kind) ? reasonOf("shift-amount", element.kind) : null,
};

function bitField(offset: number, count: number): Check {
  return {
    of: [offset, count],
    check: ([first, bits], element) =>
      numberOf(first) + numberOf(bits) > 32 ? reasonOf("bit-range", element.kind) : null,
  };
}

/** spec: #subgroup-builtin-functions, #quad-builtin-functions: which invocation; 0 up to `limit`, exclusive. */
function invocationIndex(limit: number): Check {
  return {
    of: [1],
    check: ([argument]) => {
      const index = numberOf(argument);
      return index >= 0 && index < limit ? null : phrase("value-outside", { value: index, low: 0, high: limit - 1 });
    },
  };
}

const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    "/": ZERO_DIVISOR,
    "%": ZERO_DIVISOR,
    "<<": SHIFT_AMOUNT,
    ">>": SHIFT_AMOUNT,
    // spec: #clamp
    clamp: {
      of: [1, 2],
      check: ([low, high]) => (scalarOf(low) > scalarOf(high) ? lowAboveHigh(scalarOf(low), scalarOf(high)) : null),
    },
    // spec: #smoothstep-builtin
    smoothstep: {
      of: [0, 1],
      check: ([low, high]) => (scalarOf(low) === scalarOf(high) ? edgesEqual(scalarOf(low)) : null),
    },
    // spec: #ldexp-builtin
    ldexp: {
      of: [1],
      check: ([exponent], element) => ldexpError(element, Number(scalarOf(exponent) as number | bigint)),
    },
    extractBits: bitField(1, 2),
    insertBits: bitField(2, 3),
    subgroupBroadcast: invocationIndex(128),
    subgroupShuffle: invocationIndex(128),
    subgroupShuffleUp: invocationIndex(128),
    subgroupShuffleDown: invocationIndex(128),
    subgroupShuffleXor: invocationIndex(128),
    quadBroadcast: invocationIndex(4),
  }),
);

/** Parameters whose argument has to be a const-expression. */
const CONSTANT_PARAMETERS: ReadonlyMap<string, number> = new Map([
  ["subgroupBroadcast", 1],
  ["quadBroadcast", 1],
]);

/** Whether `checkConstArguments` has anything to say about calls of this overload. */
export function hasConstChecks(name: string, signature: string): boolean {
  return CHECKS.has(name) || CONSTANT_PARAMETERS.has(name) || (name.startsWith("texture") && LIMITED.test(signature));
}

/** The arguments that have to be known, all of them, for a call to be wrong. One that is not known can be wrong as well. */
export function judgedArguments(name: string): readonly number[] {
  return CONSTANT_PARAMETERS.has(name) ? [] : (CHECKS.get(name)?.of ?? []);
}

/**
 * The error that the known arguments of a call or operator make, null when there is none. `args`: values of the
 * arguments, converted to the types of the parameters; null for those that are not known. `result`: type of the result.
 */
export function checkConstArguments(row: BuiltinRow, args: Known, result: Type): EvaluationError | null {
  if (!row.isChecked) return null;
  const constant = CONSTANT_PARAMETERS.get(row.name);
  if (constant !== undefined && args[constant] === null) return notConstant(row, constant);
  if (row.name.startsWith("texture")) return checkTextureArguments(row, args);
  const check = CHECKS.get(row.name);
  if (check === undefined) return null;
  const known = new Array<ConstValue>(check.of.length);
  for (let at = 0; at < known.length; at++) {
    const arg = args[check.of[at]];
    if (arg === null) return null;
    known[at] = arg;
  }
  if (result.kind !== "vector") return failed(check.check(known, result as ScalarType));
  // Mostly all components are one object, and what was said of it need not be asked again.
  const asked = new Array<ConstValue | null>(known.length).fill(null);
  for (let component = 0; component < result.size; component++) {
    if (!takeComponents(asked, known, component)) continue;
    const error = failed(check.check(asked as readonly ConstValue[], result.element));
    if (error !== null) return error;
  }
  return null;
}

/** Puts one component of each value into the list; false: they are those that stand there. */
function takeComponents(list: (ConstValue | null)[], values: readonly ConstValue[], component: number): boolean {
  let differ = false;
  for (let at = 0; at < list.length; at++) {
    const taken = componentAt(values[at], component);
    if (taken !== list[at]) differ = true;
    list[at] = taken;
  }
  return differ;
}

function failed(reason: Phrase | null): EvaluationError | null {
  return reason === null ? null : failure(reason);
}

/** Parameters of texture functions whose argument has to be known. */
const LIMITED = /\b(?:offset|component)\b/;

/** spec: #texture-builtin-functions: `offset` and `component` are known and within limits. */
function checkTextureArguments(row: BuiltinRow, args: Known): EvaluationError | null {
  const { parameterNames } = signatureOf(row);
  for (const [index, name] of parameterNames.entries()) {
    if (name !== "offset" && name !== "component") continue;
    const value = args[index];
    if (value === null) return notConstant(row, index);
    const [low, high] = name === "offset" ? [-8, 7] : [0, 3];
    const numbers = (value.type.kind === "vector" ? partsOf(value) : [value]).map(numberOf);
    const outside = numbers.find((number) => number < low || number > high);
    if (outside !== undefined) return failure(phrase("argument-outside", { name, value: outside, low, high }));
  }
  return null;
}

function notConstant(row: BuiltinRow, index: number): EvaluationError {
  return failure(phrase("argument-not-const", { name: signatureOf(row).parameterNames[index] }));
}
