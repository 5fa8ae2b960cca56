/**
 * Overload resolution of builtin functions, operators and constructors: types in, types out. Results are remembered by
 * the types of the arguments, so that a shader pays for each combination once. What is of type `error` is not for these
 * functions: a message about it was given before.
 */
import type { BinaryOperator, UnaryOperator } from "../syntax/ast.ts";
import { TOKEN_TEXT } from "../syntax/tokens.ts";
import { type Type, VOID } from "../types/type.ts";
import { follow, followAll, NOWHERE, newStep, recall, remember, type Step } from "./memory.ts";
import { type Resolution, resolved, resolveOverload, signatureOf } from "./overload.ts";
import type { BuiltinRow } from "./row.ts";
import type { Signature } from "./signature.ts";
import { type BuiltinName, isBuiltinName, rowsOf } from "./table.ts";
import { BINARY_OPERATORS, UNARY_OPERATORS } from "./table-operators.ts";

export { follow, recall, type Step } from "./memory.ts";
export type { Resolution } from "./overload.ts";
export {
  type ConstructorName,
  constructorRows,
  constructorStep,
  isConstructorName,
  resolveConstruction,
  resolveConstructor,
} from "./resolve-constructor.ts";
export { BUILTIN_NAMES, type BuiltinName, isBuiltinName, rowsOf } from "./table.ts";

/** What is known of a builtin function before its arguments are. */
export interface Builtin {
  readonly name: BuiltinName;
  /** All overloads, in the order of the specification. */
  readonly rows: readonly BuiltinRow[];
  /** A bit for each parameter: whether every overload takes a pointer there. */
  readonly pointers: number;
  /** Whether it is of an extension, all of it. */
  readonly isExtension: boolean;
  readonly calls: Step;
}

const builtins = new Map<string, Builtin>();

/** null: there is no such builtin function. */
export function builtinNamed(name: string): Builtin | null {
  let builtin = builtins.get(name);
  if (builtin !== undefined) return builtin;
  if (!isBuiltinName(name)) return null;
  const rows = rowsOf(name);
  const isExtension = rows[0].enable !== null || rows[0].requires !== null;
  builtin = { name, rows, pointers: pointersIn(rows.map(signatureOf)), isExtension, calls: newStep() };
  builtins.set(name, builtin);
  return builtin;
}

export function takesPointer({ pointers }: Builtin, at: number): boolean {
  return at < 32 && (pointers & (1 << at)) !== 0;
}

function pointersIn(signatures: readonly Signature[]): number {
  return signatures[0].parameters.reduce((bits, _, at) => {
    const takesPointer = signatures.every(({ parameters }) => parameters[at]?.kind === "pointer");
    return takesPointer ? bits | (1 << at) : bits;
  }, 0);
}

/**
 * Where the types of the arguments of a call begin, references as they are; `follow` leads from one to the next. `template`:
 * the types of the template list, null when there is none.
 */
export function callStep(builtin: Builtin, template: readonly Type[] | null): Step {
  // No argument is of type `void`, so it can end the template list.
  return template === null ? builtin.calls : follow(followAll(builtin.calls, template), VOID);
}

/**
 * A call of a builtin function that `step` does not recall. `constant`: whether all arguments are const-expressions (only
 * then can an abstract type remain).
 */
export function resolveCall(
  step: Step,
  builtin: Builtin,
  template: readonly Type[] | null,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const found = resolveOverload(builtin.rows, template, args, constant);
  if (!found.ok) return remember(step, constant, found);
  const call = {
    kind: "builtin" as const,
    name: builtin.name,
    args: found.args,
    result: found.result,
    template: template?.[0] ?? null,
  };
  return remember(step, constant, resolved(found.row, found.args, found.result, call, found.converts));
}

/** A call of a builtin function by its name. */
export function resolveBuiltin(
  name: BuiltinName,
  template: readonly Type[] | null,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const builtin = builtinNamed(name)!;
  const step = followAll(callStep(builtin, template), args);
  return recall(step, constant) ?? resolveCall(step, builtin, template, args, constant);
}

/** `-e`, `!e`, `~e`. (`*e` and `&e` are no overloads of anything: they are rules about memory views.) */
export function resolveUnary(operator: Exclude<UnaryOperator, "*" | "&">, operand: Type): Resolution {
  const step = follow(operator === "-" ? negation : operator === "!" ? not : complement, operand);
  return (
    recall(step, true) ?? remember(step, true, resolveOverload(UNARY_OPERATORS.rows(operator), null, [operand], true))
  );
}

const negation = newStep();
const not = newStep();
const complement = newStep();

/** An operator with the types that it was resolved for last: mostly the next are the same. */
class Operator {
  readonly text: BinaryOperator;
  readonly start = newStep();
  left: Type | null = null;
  right: Type | null = null;
  constant = false;
  resolution: Resolution | null = null;

  constructor(text: BinaryOperator) {
    this.text = text;
  }
}

const binary = new Map<BinaryOperator, Operator>();
/** The same by the kinds of their tokens. */
const binaryByToken: (Operator | undefined)[] = TOKEN_TEXT.map(() => undefined);

function operatorOf(text: BinaryOperator): Operator {
  let operator = binary.get(text);
  if (operator === undefined) binary.set(text, (operator = new Operator(text)));
  return operator;
}

/** `constant`: whether both operands are const-expressions. */
export function resolveBinary(operator: BinaryOperator, left: Type, right: Type, constant: boolean): Resolution {
  return resolveOperands(operatorOf(operator), left, right, constant);
}

/** As `resolveBinary`, for who asks often. `operation`: the kind of the token of an operator. */
export function resolveOperation(operation: number, left: Type, right: Type, constant: boolean): Resolution {
  const operator = (binaryByToken[operation] ??= operatorOf(TOKEN_TEXT[operation] as BinaryOperator));
  return resolveOperands(operator, left, right, constant);
}

function resolveOperands(last: Operator, left: Type, right: Type, constant: boolean): Resolution {
  if (last.left === left && last.right === right && last.constant === constant) return last.resolution!;
  const step = follow(follow(last.start, left), right);
  const resolution =
    recall(step, constant) ??
    remember(step, constant, resolveOverload(BINARY_OPERATORS.rows(last.text), null, [left, right], constant));
  if (step === NOWHERE) return resolution;
  last.left = left;
  last.right = right;
  last.constant = constant;
  last.resolution = resolution;
  return resolution;
}
