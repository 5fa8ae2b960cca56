/** The lowering of what one entry point reaches: its root variables, its functions and their specialisations. */

import "../diagnostics/catalogue-beyond.ts";
import { evaluateExpression } from "../analysis/overrides.ts";
import type { FunctionInfo, OverrideInfo, Program, VariableInfo } from "../analysis/program.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { resolveCounts } from "../types/counts.ts";
import { isHandle } from "../types/predicates.ts";
import { type OverrideCount, pointerType, type Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { FunctionBuilder } from "./builder.ts";
import { constantAs } from "./constant.ts";
import type { Block, IrFunction, IrModule, Root, RootId } from "./ir.ts";
import { lowerStatements } from "./lower-statement.ts";
import type { FunctionScope, ModuleScope } from "./scope.ts";
import { UnsupportedError } from "./unsupported.ts";

/** Values of all overrides that the code uses. */
export type Overrides = ReadonlyMap<OverrideInfo, ConstValue>;

export class ModuleLowering implements ModuleScope {
  readonly program: Program;
  readonly roots: Root[] = [];
  readonly functions: IrFunction[] = [];
  readonly #overrides: Overrides;
  /** Key: the entity of the variable. */
  readonly #rootOf = new Map<VariableInfo, RootId>();
  readonly #specialised = new Map<FunctionInfo, Map<string, IrFunction>>();

  constructor(program: Program, overrides: Overrides) {
    this.program = program;
    this.#overrides = overrides;
  }

  /** All that was lowered, as a module that begins with `entryPoint`. */
  finish(entryPoint: IrFunction, workgroupSize: IrModule["workgroupSize"]): IrModule {
    return { roots: this.roots, functions: this.functions, entryPoint: entryPoint.id, workgroupSize };
  }

  // -------------------------------------------------------------- types and overrides

  /** spec: #override-expr. References are pointers from here on. */
  resolve(type: Type): Type {
    if (type.kind === "pointer" || type.kind === "reference") {
      return pointerType(type.space, this.resolve(type.store), type.access);
    }
    return resolveCounts(type, (count) => this.#count(count));
  }

  #count(count: OverrideCount): number {
    return Number(this.evaluate(count.expression).value);
  }

  override(info: OverrideInfo): ConstValue {
    const value = this.#overrides.get(info);
    if (value === undefined) throw new RangeError(`the override ‘${info.name}’ has no value`);
    return value;
  }

  /** Value of a const- or override-expression, by its node. */
  evaluate(expression: ast.NodeId): ConstValue {
    const value = evaluateExpression(this.program, expression, this.#overrides);
    if (value === null) throw new RangeError("an expression hangs on an override that has no value");
    return value;
  }

  // -------------------------------------------------------------- roots

  /** Declares roots for the variables in their order; textures, samplers and opaque buffers are told of where they are used. */
  declareRoots(variables: readonly VariableInfo[]): void {
    for (const variable of variables) {
      if (!isHandle(variable.type) && variable.type.kind !== "buffer") this.root(variable);
    }
  }

  /** The root of a module-scope variable. Its initial value may hang on overrides. spec: #var-decls */
  root(variable: VariableInfo): RootId {
    const known = this.#rootOf.get(variable);
    if (known !== undefined) return known;
    const { declaration } = variable;
    const type = this.resolve(variable.type);
    const initializer =
      declaration.initializer === null ? null : constantAs(this.evaluate(declaration.initializer.id), type);
    const id = this.roots.length;
    this.roots.push({
      id,
      name: variable.name,
      space: variable.space as Root["space"],
      access: variable.access,
      type,
      group: variable.group,
      binding: variable.binding,
      initializer,
      span: declaration.name.span,
    });
    this.#rootOf.set(variable, id);
    return id;
  }

  // -------------------------------------------------------------- functions

  /**
   * One version of a function for each choice of roots, so that every access to shared memory names its variable:
   * `fn f(p: ptr<workgroup, u32>)` called with `&a` and with `&b` is two functions. A callee is finished, and so gets its
   * id, before the function that called it. There is no recursion. spec: #alias-analysis
   */
  specialise(info: FunctionInfo, roots: readonly (RootId | null)[]): IrFunction {
    const key = roots.join();
    let versions = this.#specialised.get(info);
    if (versions === undefined) {
      versions = new Map();
      this.#specialised.set(info, versions);
    }
    let version = versions.get(key);
    if (version === undefined) {
      version = this.#lowerFunction(info, roots);
      versions.set(key, version);
    }
    return version;
  }

  #lowerFunction(info: FunctionInfo, roots: readonly (RootId | null)[]): IrFunction {
    const f = this.#newFunction();
    for (const [index, param] of info.params.entries()) {
      if (isHandle(param.type)) throw new UnsupportedError(phrase("no-textures"), param.declaration.span);
      const id = f.builder.param(param.name, this.resolve(param.type), roots[index], null);
      f.values.set(param.declaration.id, id);
    }
    const body = f.builder.block(() => lowerStatements(f, info.declaration.body.statements));
    return this.#addFunction(f, info.name, this.resolve(info.returnType), body, info.declaration.span);
  }

  /** One parameter for each built-in value, structures taken apart and put together again. spec: #builtin-inputs-outputs */
  lowerEntryPoint(info: FunctionInfo): IrFunction {
    const f = this.#newFunction();
    const ids = info.inputs.map((input) => {
      if (input.builtin === null) throw new UnsupportedError(phrase("no-input", { name: input.name }), input.span);
      return f.builder.param(input.name, input.type, null, input.builtin);
    });
    // What a structure is made of comes in `inputs` one after the other, in order of its members.
    const body = f.builder.block(() => {
      let next = 0;
      for (const { type, declaration } of info.params) {
        const count = type.kind === "struct" ? type.members.length : 1;
        const parts = ids.slice(next, next + count);
        next += count;
        const value = type.kind === "struct" ? f.builder.at(declaration.span).construct(type, parts) : parts[0];
        f.values.set(declaration.id, value);
      }
      lowerStatements(f, info.declaration.body.statements);
    });
    return this.#addFunction(f, info.name, this.resolve(info.returnType), body, info.declaration.span);
  }

  #newFunction(): FunctionScope {
    return { module: this, builder: new FunctionBuilder(this.roots), values: new Map(), locals: new Map() };
  }

  #addFunction(f: FunctionScope, name: string, returnType: Type, body: Block, span: ast.Name["span"]): IrFunction {
    const { params, locals, instructionCount } = f.builder;
    const id = this.functions.length;
    const made: IrFunction = { id, name, params, returnType, locals, body, instructionCount, span };
    this.functions.push(made);
    return made;
  }
}
