/** An entry point for a function that is none: `halay run --call 'fn(args)'`. */
import type { FunctionInfo, Program, VariableInfo } from "../analysis/program.ts";
import { layoutOf } from "../layout/layout.ts";
import { containsBool } from "../types/predicates.ts";
import { arrayType, BOOL, isScalar, pointerType, type Type, typeName, U32, VOID, vectorType } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { type Emitter, shapedLike } from "./builder.ts";
import { constantAs } from "./constant.ts";
import type { InstId, IrModule, RootId } from "./ir.ts";
import { ModuleLowering, type Overrides } from "./lower-module.ts";
import { UnsupportedError } from "./unsupported.ts";

/**
 * An argument: a constant of the parameter's type (or one that converts to it automatically), the index of the
 * invocation as a number of the parameter's type, or a pointer to a module-scope variable.
 */
export type CallArgument =
  | { readonly kind: "constant"; readonly value: ConstValue }
  | { readonly kind: "invocation" }
  | { readonly kind: "variable"; readonly variable: VariableInfo };

export interface LoweredCall {
  readonly module: IrModule;
  /** The storage variable that takes the results; null where the function returns nothing. */
  readonly result: RootId | null;
}

/** Name of the variable that takes the results, element i from invocation i. */
export const RESULT_NAME = "result";

/**
 * Calls a function once in each invocation of a one-dimensional dispatch. The results go to a storage variable
 * without a binding, a runtime-sized array of the function's return type (`u32` for `bool`); invocations past its end
 * store nothing.
 *
 * @throws RangeError where there is no such function, or the arguments do not fit its parameters
 * @throws UnsupportedError for legal code that halay does not run
 */
export function lowerCall(
  program: Program,
  functionName: string,
  args: readonly CallArgument[],
  overrides: Overrides,
  workgroupSize: number = 64,
): LoweredCall {
  const info = program.functions.find((each) => each.name === functionName);
  if (info === undefined) throw new RangeError(`there is no function ‘${functionName}’`);
  if (info.stage !== null) throw new RangeError(`‘${functionName}’ is an entry point: run it by name`);
  if (args.length !== info.params.length) {
    throw new RangeError(`‘${functionName}’ takes ${info.params.length} arguments, not ${args.length}`);
  }
  const lowering = new ModuleLowering(program, overrides);
  lowering.declareRoots(info.usedVariables);
  const result = declareResult(lowering, info);
  const f = lowering.newFunction();
  const index = f.builder.param("invocation", vectorType(3, U32), null, "global_invocation_id");
  const { span } = info.declaration;
  const body = f.builder.block(() => {
    const e = f.builder.at(span);
    const invocation = e.extract(index, 0);
    const values = args.map((arg, i) => emitArgument(e, lowering, arg, info.params[i].type, invocation));
    const roots = values
      .map((value) => f.builder.rootOf(value))
      .map((root) => (isShared(lowering, root) ? root : null));
    const callee = lowering.specialise(info, roots);
    const returned = e.call(callee.id, values, callee.returnType);
    if (result !== null) storeResult(e, result, invocation, returned);
  });
  const made = lowering.addFunction(f, functionName, VOID, body, span);
  return { module: lowering.finish(made, [workgroupSize, 1, 1]), result };
}

function isShared(lowering: ModuleLowering, root: RootId | null): boolean {
  return root !== null && lowering.roots[root].space !== "private";
}

function declareResult(lowering: ModuleLowering, info: FunctionInfo): RootId | null {
  const returned = lowering.resolve(info.returnType);
  if (returned === VOID) return null;
  const element = storable(returned);
  if (containsBool(element)) {
    throw new UnsupportedError(
      `a result of type ${typeName(returned)} cannot be read back`,
      info.declaration.name.span,
    );
  }
  layoutOf(element);
  return lowering.addRoot({
    name: RESULT_NAME,
    space: "storage",
    access: "read_write",
    type: arrayType(element, null),
    group: null,
    binding: null,
    initializer: null,
    span: info.declaration.name.span,
  });
}

/** `u32` for `bool`: booleans are not host-shareable. spec: #host-shareable-types */
function storable(type: Type): Type {
  const isBool = type === BOOL || (type.kind === "vector" && type.element === BOOL);
  return isBool ? shapedLike(type, U32) : type;
}

function storeResult(e: Emitter, result: RootId, invocation: InstId, returned: InstId): void {
  const value = e.convert(returned, storable(e.typeOf(returned)));
  e.store(e.access(e.variable(result), { dynamic: invocation }), value);
}

function emitArgument(
  e: Emitter,
  lowering: ModuleLowering,
  arg: CallArgument,
  wanted: Type,
  invocation: InstId,
): InstId {
  const type = lowering.resolve(wanted);
  switch (arg.kind) {
    case "constant":
      return e.constant(constantAs(arg.value, type));
    case "invocation":
      if (!isScalar(type)) throw new RangeError(`‘invocation’ is a number, the parameter is of type ${typeName(type)}`);
      return e.convert(invocation, type);
    case "variable": {
      const { variable } = arg;
      const pointer = pointerType(variable.space, lowering.resolve(variable.type), variable.access);
      if (pointer !== type) {
        throw new RangeError(`‘&${variable.name}’ is of type ${typeName(pointer)}, the parameter of ${typeName(type)}`);
      }
      return e.variable(lowering.root(variable));
    }
    default:
      return arg satisfies never;
  }
}
