/** Functions of the shader that stay functions: what they need of the kernel they find in globals. */
import type { FunctionId, IrFunction } from "../../ir/ir.ts";
import { Emitter, type Surroundings } from "./emitter.ts";
import type { FunctionBody } from "./encoder.ts";
import type { Environment, GlobalName } from "./environment.ts";
import type { Expr } from "./expression.ts";
import type { ScalarType } from "./instructions.ts";
import { OP } from "./instructions.ts";
import { storeValue } from "./memory-code.ts";
import { passedTypes } from "./operations.ts";
import { inParts } from "./parts.ts";
import { memoryVariables, type Pointers } from "./pointers.ts";
import { isLarge, wasmTypes } from "./scalars.ts";
import { type Code, eachOperation, type Operation, type ValueId } from "./tree.ts";
import { constantVariables, countUses, neededScalars } from "./usage.ts";
import type { Place } from "./values.ts";

export function operationsOf(nodes: Code["nodes"]): ReadonlyMap<ValueId, Operation> {
  const operations = new Map<ValueId, Operation>();
  eachOperation(nodes, (operation) => operations.set(operation.id, operation));
  return operations;
}

/** Declares and defines the function; calls find it in `environment.functions`. */
export function emitFunction(environment: Environment, fn: IrFunction, code: Code, pointers: Pointers): void {
  const parameters = code.parameters.flatMap(({ type }) => passedTypes(type));
  const returnsLarge = isLarge(code.returnType);
  const results = returnsLarge ? [] : wasmTypes(code.returnType);
  if (returnsLarge) parameters.push("i32");
  const index = environment.builder.declare(fn.name, { params: parameters, results });
  environment.functions.set(fn.id, { index, returnType: code.returnType });
  environment.builder.define(index, emitBody(environment, code, pointers, parameters));
}

function emitBody(
  environment: Environment,
  code: Code,
  pointers: Pointers,
  parameters: readonly ScalarType[],
): FunctionBody {
  const inMemory = memoryVariables(code, pointers);
  const uses = countUses(code.nodes, pointers, code.types.length);
  const e = new Emitter({
    environment,
    types: code.types,
    variables: code.variables,
    operations: operationsOf(code.nodes),
    pointers,
    uses,
    needed: neededScalars(code),
    memoryVariables: inMemory,
    constants: constantVariables(code, pointers, inMemory),
    parameters,
  });
  e.surroundings = new GlobalSurroundings(e, code.name);
  bindParameters(e, code);
  e.constants();
  e.open(OP.block, code.label);
  e.nodes(inParts(code.nodes, uses, pointers));
  e.flush();
  e.close();
  returnResult(e, code, parameters.length - 1);
  e.out.byte(OP.end);
  return { locals: e.locals.types, code: e.out.bytes, positions: e.positions };
}

function bindParameters(e: Emitter, code: Code): void {
  let next = 0;
  for (const { id, type } of code.parameters) {
    const locals = passedTypes(type).map((each) => e.x.local(next++, each));
    e.values[id] = type.kind !== "pointer" && isLarge(type) ? { type, address: locals[0], offset: 0 } : locals;
  }
}

/** The result variable's scalars on the stack, or its bytes where the caller wants them. */
function returnResult(e: Emitter, code: Code, lastParameter: number): void {
  if (code.result === null) return;
  const home = e.home(code.result);
  if (!isLarge(code.returnType)) {
    if (home.kind === "locals") for (const scalar of home.content) e.write(scalar);
    return;
  }
  if (home.kind !== "memory") throw new Error("internal: a large result in locals");
  const to = { address: e.x.local(lastParameter, "i32"), offset: 0 };
  storeValue(e, to, code.returnType, { type: code.returnType, ...home.place() }, false);
}

/** Reads globals that the kernel has set. */
class GlobalSurroundings implements Surroundings {
  readonly name: string;
  readonly #e: Emitter;
  readonly #known = new Map<GlobalName, Expr>();

  constructor(e: Emitter, name: string) {
    this.#e = e;
    this.name = name;
  }

  /** The same expression each time: the global does not change while the function runs. */
  #global(name: GlobalName): Expr {
    let expr = this.#known.get(name);
    if (expr === undefined) {
      expr = this.#e.x.global(this.#e.environment.globals.index(name), "i32");
      this.#known.set(name, expr);
    }
    return expr;
  }

  rootPlace(root: number): Place {
    const { module, workgroupOffsets } = this.#e.environment;
    const { space } = module.roots[root];
    if (space === "workgroup") return { address: this.scratch(), offset: workgroupOffsets.get(root)! };
    return { address: this.#global(space === "private" ? `private ${root}` : `base ${root}`), offset: 0 };
  }

  rootLength(root: number): Expr {
    return this.#global(`length ${root}`);
  }

  scratch(): Expr {
    return this.#global("scratch");
  }

  constants(): Expr {
    return this.#global("constants");
  }

  parameters(): Expr {
    return this.#global("parameters");
  }

  lane(): Expr {
    return this.#global("lane");
  }

  wideConstant(): null {
    return null;
  }

  narrowConstant(): null {
    return null;
  }

  /** The globals are set already. */
  beforeCall(_callee: FunctionId): void {}
}
