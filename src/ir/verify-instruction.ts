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
  const demand = (condition: boolean, message: string) => {
    if (!condition) problems.push(`${inst.kind}: ${message}`);
  };
  check(inst, types, demand);
  return problems;
}

type Demand = (condition: boolean, message: string) => void;

function check(inst: Instruction, types: InstructionTypes, demand: Demand): void {
  switch (inst.kind) {
    case "const":
      demand(inst.value.type === inst.type, "the value is of another type");
      break;
    case "unary":
    case "binary":
      checkOperator(inst, types, demand);
      break;
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle":
      checkReshape(inst, types, demand);
      break;
    case "construct":
      checkConstruct(inst, types, demand);
      break;
    case "extract":
    case "extract-dynamic":
      checkExtract(inst, types, demand);
      break;
    case "select":
    case "builtin":
      checkComponentwise(inst, types, demand);
      break;
    case "call":
      checkCall(inst, types, demand);
      break;
    case "variable":
    case "local":
    case "access":
      checkPointer(inst, types, demand);
      break;
    case "load":
    case "store":
    case "atomic":
    case "uniform-load":
      checkMemory(inst, types, demand);
      break;
    case "array-length": {
      const type = types.typeOf(inst.pointer);
      const isRuntimeArray = type.kind === "pointer" && type.store.kind === "array" && type.store.count === null;
      demand(isRuntimeArray, "not on a runtime-sized array");
      demand(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
      demand(inst.type === U32, "the result is no u32");
      break;
    }
    case "if":
      demand(types.typeOf(inst.condition) === BOOL, "the condition is no bool");
      break;
    case "switch":
      checkSwitch(inst, types, demand);
      break;
    case "return": {
      const type = inst.value === null ? VOID : types.typeOf(inst.value);
      demand(type === types.function.returnType, `returns ${typeName(type)}`);
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

/** Scalars that an operator takes, where these are not all numbers. */
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

/** spec: #arithmetic-expr, #bit-expr, #comparison-expr, #logical-expr. Like operands; of a shift, u32 on the right. */
function checkOperator(inst: Of<"unary" | "binary">, types: InstructionTypes, demand: Demand): void {
  const operand = types.typeOf(inst.kind === "unary" ? inst.operand : inst.left);
  const kinds = OPERATOR_KINDS[inst.operator] ?? NUMERIC;
  demand(isScalarOrVector(operand), `an operand of type ${typeName(operand)}`);
  demand(kinds.includes(scalarKind(operand)), `‘${inst.operator}’ on ${typeName(operand)}`);
  if (inst.kind === "unary") {
    demand(inst.type === operand, `the result is of type ${typeName(inst.type)}`);
    return;
  }
  const right = types.typeOf(inst.right);
  const isShift = inst.operator === "<<" || inst.operator === ">>";
  const wanted = isShift ? shapedLike(operand, U32) : operand;
  demand(right === wanted, `operands of types ${typeName(operand)} and ${typeName(right)}`);
  demand(inst.type === binaryResult(inst.operator, operand), `the result is of type ${typeName(inst.type)}`);
}

/** Values that become values of another type, or of another shape. */
function checkReshape(
  inst: Of<"convert" | "bitcast" | "splat" | "swizzle">,
  types: InstructionTypes,
  demand: Demand,
): void {
  const from = types.typeOf(inst.operand);
  const { type } = inst;
  const message = `from ${typeName(from)} to ${typeName(type)}`;
  switch (inst.kind) {
    case "convert":
      demand(isScalarOrVector(from) && isScalarOrVector(type) && partCount(from) === partCount(type), message);
      demand(from !== type, "converts nothing");
      break;
    case "bitcast":
      demand(isScalarOrVector(from) && isScalarOrVector(type) && fitsBitcast(from, type), message);
      break;
    case "splat":
      demand(isScalar(from) && type.kind === "vector" && type.element === from, message);
      break;
    case "swizzle": {
      const { components } = inst;
      const size = from.kind === "vector" ? from.size : 0;
      demand(
        components.every((index) => index >= 0 && index < size),
        "a component that does not exist",
      );
      demand(from.kind === "vector" && type === vectorType(components.length, from.element), message);
      break;
    }
    default:
      inst satisfies never;
  }
}

/** spec: #bitcast-builtin. Of different shapes only a 32-bit scalar and `vec2<f16>`. */
function fitsBitcast(from: Type, to: Type): boolean {
  if (scalarKind(from) === "bool" || scalarKind(to) === "bool") return false;
  if (layoutOf(from).size !== layoutOf(to).size) return false;
  return partCount(from) === partCount(to) || partCount(from) + partCount(to) === 2;
}

/** As many parts as the type has, each of its type. */
function checkConstruct(inst: Of<"construct">, types: InstructionTypes, demand: Demand): void {
  const { type, parts } = inst;
  demand(isConstructible(type) && !isScalar(type), `a value of type ${typeName(type)}`);
  demand(parts.length === partCount(type), `${parts.length} parts for ${typeName(type)}`);
  for (const [index, part] of parts.entries()) {
    const given = types.typeOf(part);
    if (index < partCount(type)) {
      demand(given === partType(type, index), `part ${index} of ${typeName(type)} is of type ${typeName(given)}`);
    }
  }
}

/** A part that exists; members of structures differ in type, so their index is known. */
function checkExtract(inst: Of<"extract" | "extract-dynamic">, types: InstructionTypes, demand: Demand): void {
  const from = types.typeOf(inst.operand);
  const count = partCount(from);
  if (count === 0) {
    demand(false, `a part of ${typeName(from)}`);
    return;
  }
  if (inst.kind === "extract-dynamic") {
    demand(from.kind !== "struct", `a part of ${typeName(from)}`);
    demand(isConcreteInteger(types.typeOf(inst.index)), "the index is no i32 or u32");
  } else {
    demand(inst.index >= 0 && inst.index < count, `part ${inst.index} of ${typeName(from)}`);
    if (inst.index >= count) return;
  }
  const part = partType(from, inst.kind === "extract" ? inst.index : 0);
  demand(inst.type === part, `the result is of type ${typeName(inst.type)}`);
}

/** Builtins between types of different shape. */
const RESHAPING = /^(pack|unpack|dot4)/;

/** Equal shapes: splatting was done by instructions. */
function checkComponentwise(inst: Of<"select" | "builtin">, types: InstructionTypes, demand: Demand): void {
  if (inst.kind === "select") {
    const type = types.typeOf(inst.ifTrue);
    const condition = types.typeOf(inst.condition);
    demand(type === types.typeOf(inst.ifFalse) && type === inst.type, "values of different types");
    demand(condition === BOOL || condition === shapedLike(type, BOOL), "the condition has another size");
    return;
  }
  if (RESHAPING.test(inst.name)) return;
  for (const arg of inst.args) {
    const type = types.typeOf(arg);
    demand(isScalarOrVector(type) && partCount(type) === partCount(inst.type), `an argument of type ${typeName(type)}`);
  }
}

/** The callee comes before, so there is no recursion; pointers into shared memory keep their root. */
function checkCall(inst: Of<"call">, types: InstructionTypes, demand: Demand): void {
  const callee = types.module.functions[inst.function];
  demand(inst.function < types.function.id && callee !== undefined, `function #${inst.function} does not come before`);
  if (callee === undefined) return;
  demand(inst.args.length === callee.params.length, `${inst.args.length} arguments for ‘${callee.name}’`);
  demand(inst.type === callee.returnType, `‘${callee.name}’ returns ${typeName(callee.returnType)}`);
  for (const [index, arg] of inst.args.entries()) {
    const param = callee.params[index];
    if (param === undefined) continue;
    const type = types.typeOf(arg);
    demand(type === param.type, `‘${param.name}’ is given a value of type ${typeName(type)}`);
    if (isSharedPointer(type)) demand(types.rootOf(arg) === param.root, `‘${param.name}’ is given another root`);
  }
}

/** Pointers are formed here and nowhere else; their type says space, store type and access of the variable. */
function checkPointer(inst: Of<"variable" | "local" | "access">, types: InstructionTypes, demand: Demand): void {
  const { type } = inst;
  if (type.kind !== "pointer") {
    demand(false, `a value of type ${typeName(type)}`);
    return;
  }
  if (inst.kind === "variable") {
    const root = types.module.roots[inst.root];
    demand(root !== undefined, "there is no such root");
    demand(
      root?.type === type.store && root?.space === type.space && root?.access === type.access,
      "not its root’s type",
    );
  } else if (inst.kind === "local") {
    demand(types.function.locals[inst.local]?.type === type.store, "not its variable’s type");
    demand(type.space === "function", "not in function memory");
  } else checkAccess(inst, type, types, demand);
}

/** A step changes the store type and nothing else. spec: #forming-references-and-pointers */
function checkAccess(inst: Of<"access">, type: PointerType, types: InstructionTypes, demand: Demand): void {
  const from = types.typeOf(inst.pointer);
  if (from.kind !== "pointer" || !(from.store.kind === "array" || partCount(from.store) > 0)) {
    demand(false, `a part of ${typeName(from)}`);
    return;
  }
  const { store } = from;
  demand(inst.step === stepInto(store), `the step into ${typeName(store)} is called ${inst.step}`);
  demand(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
  demand(
    type.space === from.space && type.access === from.access,
    "another address space or access than its pointer’s",
  );
  // Into a runtime-sized array every known index is allowed, in bounds or not.
  const known = typeof inst.index === "number" ? inst.index : 0;
  const isRuntimeArray = store.kind === "array" && store.count === null;
  const fits = known >= 0 && (isRuntimeArray || known < partCount(store));
  demand(fits, `part ${known} of ${typeName(store)}`);
  if (fits) demand(type.store === partType(store, known), `a pointer to ${typeName(type.store)}`);
  if (typeof inst.index !== "number") {
    demand(store.kind !== "struct", "a member at an index that is not known");
    demand(isConcreteInteger(types.typeOf(inst.index.dynamic)), "the index is no i32 or u32");
  }
}

/** What a memory operation says of its memory is what its pointer says. */
function checkMemory(
  inst: Of<"load" | "store" | "atomic" | "uniform-load">,
  types: InstructionTypes,
  demand: Demand,
): void {
  const pointer = types.typeOf(inst.pointer);
  if (pointer.kind !== "pointer") {
    demand(false, `through a value of type ${typeName(pointer)}`);
    return;
  }
  const { store } = pointer;
  demand(inst.space === pointer.space, `says the address space ${inst.space}`);
  demand(inst.root === types.rootOf(inst.pointer), "another root than its pointer’s");
  demand(!isSharedPointer(pointer) || inst.root !== null, "its root is not known");
  demand(inst.size === layoutOf(store).size, `says ${inst.size} bytes`);
  const value = store.kind === "atomic" ? store.element : store;
  switch (inst.kind) {
    case "load":
      demand(inst.type === store, `a value of type ${typeName(inst.type)}`);
      demand(pointer.access !== "write", "from memory that is only written");
      break;
    case "store":
      demand(types.typeOf(inst.value) === store, `a value of type ${typeName(types.typeOf(inst.value))}`);
      demand(pointer.access !== "read", "to memory that is only read");
      break;
    case "uniform-load":
      demand(inst.type === value, `a value of type ${typeName(inst.type)}`);
      demand(pointer.space === "workgroup", "outside of workgroup memory");
      break;
    case "atomic":
      checkAtomic(inst, store, types, demand);
      break;
    default:
      inst satisfies never;
  }
}

const ATOMIC_ARGUMENTS: Readonly<Record<string, number>> = { load: 0, "compare-exchange-weak": 2 };

/** spec: #atomic-builtin-functions */
function checkAtomic(inst: Of<"atomic">, store: Type, types: InstructionTypes, demand: Demand): void {
  if (store.kind !== "atomic") {
    demand(false, `on ${typeName(store)}`);
    return;
  }
  const { operation, args, type } = inst;
  demand(args.length === (ATOMIC_ARGUMENTS[operation] ?? 1), `${args.length} arguments for ‘${operation}’`);
  for (const arg of args) demand(types.typeOf(arg) === store.element, "an argument of another type");
  if (operation === "store") demand(type === VOID, "a store gives no value");
  else if (operation === "compare-exchange-weak") {
    const members = type.kind === "struct" ? type.members.map((member) => member.type) : [];
    demand(members[0] === store.element && members[1] === BOOL, `a result of type ${typeName(type)}`);
  } else demand(type === store.element, `a result of type ${typeName(type)}`);
}

/** spec: #switch-statement */
function checkSwitch(inst: Of<"switch">, types: InstructionTypes, demand: Demand): void {
  demand(isConcreteInteger(types.typeOf(inst.selector)), "the selector is no i32 or u32");
  demand(inst.clauses.filter((clause) => clause.isDefault).length === 1, "there is not one default clause");
  const values = inst.clauses.flatMap((clause) => clause.values);
  demand(new Set(values).size === values.length, "two clauses for one value");
}
