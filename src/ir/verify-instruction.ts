/** What the contract says of single instructions: types that fit each other, roots and sizes that are true. */
import { layoutOf } from "../layout/layout.ts";
import { isConcreteInteger, isConstructible } from "../types/predicates.ts";
import { BOOL, isScalar, type PointerType, type Type, typeName, U32, VOID, vectorType } from "../types/type.ts";
import { binaryResult, partCount, partType, shapedLike, stepInto } from "./builder.ts";
import type { InstId, Instruction, IrFunction, IrModule, RootId } from "./ir.ts";

export interface InstructionTypes {
  readonly module: IrModule;
  readonly function: IrFunction;
  typeOf(id: InstId): Type;
  rootOf(id: InstId): RootId | null;
}

type Of<Kind extends Instruction["kind"]> = Extract<Instruction, { kind: Kind }>;

/** A pointer whose root must be known: into memory that invocations or bindings share. */
export function isSharedPointer(type: Type): boolean {
  return type.kind === "pointer" && type.space !== "function" && type.space !== "private";
}

/** What is wrong with an instruction whose operands are all defined. */
export function instructionProblems(inst: Instruction, types: InstructionTypes): string[] {
  const problems: string[] = [];
  const require = (condition: boolean, message: string) => {
    if (!condition) problems.push(`${inst.kind}: ${message}`);
  };
  check(inst, types, require);
  return problems;
}

type Require = (condition: boolean, message: string) => void;

function check(inst: Instruction, types: InstructionTypes, require: Require): void {
  switch (inst.kind) {
    case "const":
      require(inst.value.type === inst.type, "the value is of another type");
      break;
    case "unary":
    case "binary":
      checkOperator(inst, types, require);
      break;
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle":
      checkReshape(inst, types, require);
      break;
    case "construct":
      checkConstruct(inst, types, require);
      break;
    case "extract":
    case "extract-dynamic":
      checkExtract(inst, types, require);
      break;
    case "select":
    case "builtin":
      checkComponentwise(inst, types, require);
      break;
    case "call":
      checkCall(inst, types, require);
      break;
    case "variable":
    case "local":
    case "access":
      checkPointer(inst, types, require);
      break;
    case "load":
    case "store":
    case "atomic":
    case "uniform-load":
      checkMemory(inst, types, require);
      break;
    case "array-length": {
      const type = types.typeOf(inst.pointer);
      const isRuntimeArray = type.kind === "pointer" && type.store.kind === "array" && type.store.count === null;
      require(isRuntimeArray, "not on a runtime-sized array");
      require(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
      require(inst.type === U32, "the result is no u32");
      break;
    }
    case "if":
      require(types.typeOf(inst.condition) === BOOL, "the condition is no bool");
      break;
    case "switch":
      checkSwitch(inst, types, require);
      break;
    case "return": {
      const type = inst.value === null ? VOID : types.typeOf(inst.value);
      require(type === types.function.returnType, `returns ${typeName(type)}`);
      break;
    }
    case "barrier":
    case "subgroup":
    case "loop":
    case "break":
    case "continue":
      break;
    default:
      inst satisfies never;
  }
}

function isScalarOrVector(type: Type): boolean {
  return isScalar(type) || type.kind === "vector";
}

function scalarKind(type: Type): string {
  return type.kind === "vector" ? type.element.kind : type.kind;
}

const OPERATOR_KINDS: Readonly<Record<string, readonly string[]>> = {
  "%": ["i32", "u32", "f32", "f16"],
  "&": ["i32", "u32", "bool"],
  "|": ["i32", "u32", "bool"],
  "^": ["i32", "u32"],
  "<<": ["i32", "u32"],
  ">>": ["i32", "u32"],
  "!": ["bool"],
  "~": ["i32", "u32"],
  "==": ["i32", "u32", "f32", "f16", "bool"],
  "!=": ["i32", "u32", "f32", "f16", "bool"],
};
const NUMERIC: readonly string[] = ["i32", "u32", "f32", "f16"];

function checkOperator(inst: Of<"unary" | "binary">, types: InstructionTypes, require: Require): void {
  const operand = types.typeOf(inst.kind === "unary" ? inst.operand : inst.left);
  const kinds = OPERATOR_KINDS[inst.operator] ?? NUMERIC;
  require(isScalarOrVector(operand), `an operand of type ${typeName(operand)}`);
  require(kinds.includes(scalarKind(operand)), `‘${inst.operator}’ on ${typeName(operand)}`);
  if (inst.kind === "unary") {
    require(inst.type === operand, `the result is of type ${typeName(inst.type)}`);
    return;
  }
  const right = types.typeOf(inst.right);
  const isShift = inst.operator === "<<" || inst.operator === ">>";
  const wanted = isShift ? shapedLike(operand, U32) : operand;
  require(right === wanted, `operands of types ${typeName(operand)} and ${typeName(right)}`);
  require(inst.type === binaryResult(inst.operator, operand), `the result is of type ${typeName(inst.type)}`);
}

function checkReshape(
  inst: Of<"convert" | "bitcast" | "splat" | "swizzle">,
  types: InstructionTypes,
  require: Require,
): void {
  const from = types.typeOf(inst.operand);
  const { type } = inst;
  const message = `from ${typeName(from)} to ${typeName(type)}`;
  switch (inst.kind) {
    case "convert":
      require(isScalarOrVector(from) && isScalarOrVector(type) && partCount(from) === partCount(type), message);
      require(from !== type, "converts nothing");
      break;
    case "bitcast":
      require(isScalarOrVector(from) && isScalarOrVector(type) && fitsBitcast(from, type), message);
      break;
    case "splat":
      require(isScalar(from) && type.kind === "vector" && type.element === from, message);
      break;
    case "swizzle": {
      const { components } = inst;
      const size = from.kind === "vector" ? from.size : 0;
      require(components.every((index) => index >= 0 && index < size), "a component that does not exist");
      require(from.kind === "vector" && type === vectorType(components.length, from.element), message);
      break;
    }
    default:
      inst satisfies never;
  }
}

function fitsBitcast(from: Type, to: Type): boolean {
  if (scalarKind(from) === "bool" || scalarKind(to) === "bool") return false;
  if (layoutOf(from).size !== layoutOf(to).size) return false;
  return partCount(from) === partCount(to) || partCount(from) + partCount(to) === 2;
}

function checkConstruct(inst: Of<"construct">, types: InstructionTypes, require: Require): void {
  const { type, parts } = inst;
  require(isConstructible(type) && !isScalar(type), `a value of type ${typeName(type)}`);
  require(parts.length === partCount(type), `${parts.length} parts for ${typeName(type)}`);
  for (const [index, part] of parts.entries()) {
    const given = types.typeOf(part);
    if (index < partCount(type)) {
      require(given === partType(type, index), `part ${index} of ${typeName(type)} is of type ${typeName(given)}`);
    }
  }
}

function checkExtract(inst: Of<"extract" | "extract-dynamic">, types: InstructionTypes, require: Require): void {
  const from = types.typeOf(inst.operand);
  const count = partCount(from);
  if (count === 0) {
    require(false, `a part of ${typeName(from)}`);
    return;
  }
  if (inst.kind === "extract-dynamic") {
    require(from.kind !== "struct", `a part of ${typeName(from)}`);
    require(isConcreteInteger(types.typeOf(inst.index)), "the index is no i32 or u32");
  } else {
    require(inst.index >= 0 && inst.index < count, `part ${inst.index} of ${typeName(from)}`);
    if (inst.index >= count) return;
  }
  const part = partType(from, inst.kind === "extract" ? inst.index : 0);
  require(inst.type === part, `the result is of type ${typeName(inst.type)}`);
}

/** Builtins between types of different shape. */
const RESHAPING = /^(pack|unpack|dot4)/;

function checkComponentwise(inst: Of<"select" | "builtin">, types: InstructionTypes, require: Require): void {
  if (inst.kind === "select") {
    const type = types.typeOf(inst.ifTrue);
    const condition = types.typeOf(inst.condition);
    require(type === types.typeOf(inst.ifFalse) && type === inst.type, "values of different types");
    require(condition === BOOL || condition === shapedLike(type, BOOL), "the condition has another size");
    return;
  }
  if (RESHAPING.test(inst.name)) return;
  for (const arg of inst.args) {
    const type = types.typeOf(arg);
    require(isScalarOrVector(type) &&
      partCount(type) === partCount(inst.type), `an argument of type ${typeName(type)}`);
  }
}

function checkCall(inst: Of<"call">, types: InstructionTypes, require: Require): void {
  const callee = types.module.functions[inst.function];
  require(inst.function < types.function.id && callee !== undefined, `function #${inst.function} does not come before`);
  if (callee === undefined) return;
  require(inst.args.length === callee.params.length, `${inst.args.length} arguments for ‘${callee.name}’`);
  require(inst.type === callee.returnType, `‘${callee.name}’ returns ${typeName(callee.returnType)}`);
  for (const [index, arg] of inst.args.entries()) {
    const param = callee.params[index];
    if (param === undefined) continue;
    const type = types.typeOf(arg);
    require(type === param.type, `‘${param.name}’ is given a value of type ${typeName(type)}`);
    if (isSharedPointer(type)) require(types.rootOf(arg) === param.root, `‘${param.name}’ is given another root`);
  }
}

function checkPointer(inst: Of<"variable" | "local" | "access">, types: InstructionTypes, require: Require): void {
  const { type } = inst;
  if (type.kind !== "pointer") {
    require(false, `a value of type ${typeName(type)}`);
    return;
  }
  if (inst.kind === "variable") {
    const root = types.module.roots[inst.root];
    require(root !== undefined, "there is no such root");
    require(root?.type === type.store &&
      root?.space === type.space &&
      root?.access === type.access, "not its root’s type");
  } else if (inst.kind === "local") {
    require(types.function.locals[inst.local]?.type === type.store, "not its variable’s type");
    require(type.space === "function", "not in function memory");
  } else checkAccess(inst, type, types, require);
}

function checkAccess(inst: Of<"access">, type: PointerType, types: InstructionTypes, require: Require): void {
  const from = types.typeOf(inst.pointer);
  if (from.kind !== "pointer" || !(from.store.kind === "array" || partCount(from.store) > 0)) {
    require(false, `a part of ${typeName(from)}`);
    return;
  }
  const { store } = from;
  require(inst.step === stepInto(store), `the step into ${typeName(store)} is called ${inst.step}`);
  require(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
  require(type.space === from.space &&
    type.access === from.access, "another address space or access than its pointer’s");
  const known = typeof inst.index === "number" ? inst.index : 0;
  const isRuntimeArray = store.kind === "array" && store.count === null;
  const fits = known >= 0 && (isRuntimeArray || known < partCount(store));
  require(fits, `part ${known} of ${typeName(store)}`);
  if (fits) require(type.store === partType(store, known), `a pointer to ${typeName(type.store)}`);
  if (typeof inst.index !== "number") {
    require(store.kind !== "struct", "a member at an index that is not known");
    require(isConcreteInteger(types.typeOf(inst.index.dynamic)), "the index is no i32 or u32");
  }
}

function checkMemory(
  inst: Of<"load" | "store" | "atomic" | "uniform-load">,
  types: InstructionTypes,
  require: Require,
): void {
  const pointer = types.typeOf(inst.pointer);
  if (pointer.kind !== "pointer") {
    require(false, `through a value of type ${typeName(pointer)}`);
    return;
  }
  const { store } = pointer;
  require(inst.space === pointer.space, `says the address space ${inst.space}`);
  require(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
  require(!isSharedPointer(pointer) || inst.root !== null, "its root is not known");
  require(inst.size === layoutOf(store).size, `says ${inst.size} bytes`);
  const value = store.kind === "atomic" ? store.element : store;
  switch (inst.kind) {
    case "load":
      require(inst.type === store, `a value of type ${typeName(inst.type)}`);
      require(pointer.access !== "write", "from memory that is only written");
      break;
    case "store":
      require(types.typeOf(inst.value) === store, `a value of type ${typeName(types.typeOf(inst.value))}`);
      require(pointer.access !== "read", "to memory that is only read");
      break;
    case "uniform-load":
      require(inst.type === value, `a value of type ${typeName(inst.type)}`);
      require(pointer.space === "workgroup", "outside of workgroup memory");
      break;
    case "atomic":
      checkAtomic(inst, store, types, require);
      break;
    default:
      inst satisfies never;
  }
}

const ATOMIC_ARGUMENTS: Readonly<Record<string, number>> = { load: 0, "compare-exchange-weak": 2 };

function checkAtomic(inst: Of<"atomic">, store: Type, types: InstructionTypes, require: Require): void {
  if (store.kind !== "atomic") {
    require(false, `on ${typeName(store)}`);
    return;
  }
  const { operation, args, type } = inst;
  require(args.length === (ATOMIC_ARGUMENTS[operation] ?? 1), `${args.length} arguments for ‘${operation}’`);
  for (const arg of args) require(types.typeOf(arg) === store.element, "an argument of another type");
  if (operation === "store") require(type === VOID, "a store gives no value");
  else if (operation === "compare-exchange-weak") {
    const members = type.kind === "struct" ? type.members.map((member) => member.type) : [];
    require(members[0] === store.element && members[1] === BOOL, `a result of type ${typeName(type)}`);
  } else require(type === store.element, `a result of type ${typeName(type)}`);
}

function checkSwitch(inst: Of<"switch">, types: InstructionTypes, require: Require): void {
  require(isConcreteInteger(types.typeOf(inst.selector)), "the selector is no i32 or u32");
  require(inst.clauses.filter((clause) => clause.isDefault).length === 1, "there is not one default clause");
  const values = inst.clauses.flatMap((clause) => clause.values);
  require(new Set(values).size === values.length, "two clauses for one value");
}
