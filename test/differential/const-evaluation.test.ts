/**
 * Const-evaluation against Tint: the same verdict on random calls of everything that is `@const`, and the same value
 * where the specification leaves no choice.
 */
import { beforeAll, expect, test } from "vitest";
import { type EvaluationResult, isEvaluationError } from "../../src/builtins/row.ts";
import { nextDownF16, nextUpF16 } from "../../src/numeric/float32.ts";
import { isScalar } from "../../src/types/type.ts";
import type { ConstValue } from "../../src/types/value.ts";
import { type Trial, trials } from "./const-evaluation.ts";
import { type Tint, tint } from "./tint.ts";
import { generator, written } from "./values.ts";

/** Trials per name and seed of a run; more of them find more. */
const count = Number(process.env.TRIALS ?? 12);
const seed = Number(process.env.SEED ?? 1);

/** Functions whose accuracy leaves a choice: only the verdict is compared. */
const approximate = new Set(
  `acos acosh asin asinh atan atanh atan2 cos cosh sin sinh tan tanh exp exp2 log log2 pow sqrt inverseSqrt degrees
  radians determinant distance length normalize cross dot faceForward reflect refract mix smoothstep fma unpack4x8snorm
  unpack4x8unorm unpack2x16snorm unpack2x16unorm pack2x16float quantizeToF16`.split(/\s+/),
);

let oracle: Tint;
beforeAll(async () => {
  oracle = await tint();
});

/** An assertion that the expression has this value. An f16 may also be rounded towards zero, as Tint does. */
function equality(expression: string, value: ConstValue): string {
  const { type } = value;
  if (type.kind === "f16") {
    const number = value.value as number;
    const below = number > 0 ? nextDownF16(number) : nextUpF16(number);
    return `(${expression} == ${written(value)} || ${expression} == ${written({ type, value: below })})`;
  }
  if (isScalar(type)) return `${expression} == ${written(value)}`;
  const access = (index: number) => (type.kind === "struct" ? `.${type.members[index].name}` : `[${index}]`);
  return (value.value as readonly ConstValue[])
    .map((part, index) => equality(`${expression}${access(index)}`, part))
    .join(" && ");
}

/** Sums of products in f16 have more than two roundings to choose from. */
function onlyVerdict({ row, expression, result }: Trial): boolean {
  const product = row.name === "*" && row.signature.includes("mat") && /\dh\)/.test(expression);
  return isEvaluationError(result) || approximate.has(row.name) || product;
}

function shader(trial: Trial): string {
  const { expression, result } = trial;
  if (onlyVerdict(trial) || isEvaluationError(result)) return `enable f16; const x = ${expression};`;
  return `enable f16; const x = ${expression}; const_assert ${equality("x", result)};`;
}

/** Where Tint is known to differ, or where the specification lets it. */
function excused({ row, expression, result }: Trial, message: string | undefined): boolean {
  // What rounds to the largest number may as well overflow.
  if (!isEvaluationError(result) && /cannot be represented as 'f16'/.test(message ?? "")) return true;
  // It wraps a negative abstract integer that `bitcast<u32>` has to refuse.
  if (row.name === "bitcast" && isEvaluationError(result)) return message === undefined;
  // The sign of zero may be ignored.
  if (row.name === "bitcast") return expression.includes("(-0");
  // Exponents below those of i32 overflow in it.
  return row.name === "ldexp" && /-\d{10}/.test(expression);
}

function verdict(result: EvaluationResult): string {
  return isEvaluationError(result) ? `refused: ${result.error}` : "accepted";
}

test("what Tint says of constant expressions", async () => {
  const different: string[] = [];
  for (const trial of trials(() => true, count, generator(seed))) {
    const [first] = await oracle.errors(shader(trial));
    const agrees = (first !== undefined) === isEvaluationError(trial.result);
    if (!agrees && !excused(trial, first?.message)) {
      different.push(`${shader(trial)} ${verdict(trial.result)}; Tint: ${first?.message ?? "accepted"}`);
    }
  }
  expect(different).toEqual([]);
});
