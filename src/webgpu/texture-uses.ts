/**
 * Which textures are read through which samplers, followed from an entry point through the parameters of functions.
 * webgpu: #default-pipeline-layout, #abstract-opdef-validating-gpuprogrammablestage
 */
import type { FunctionInfo, ParameterInfo, Program, VariableInfo } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { isHandle, isTexture } from "../types/predicates.ts";

/** One call of a texture builtin function. */
export interface TextureUse {
  readonly texture: VariableInfo;
  /** null: it takes none. */
  readonly sampler: VariableInfo | null;
}

type Handles = ReadonlyMap<ParameterInfo, VariableInfo>;

export function textureUses(program: Program, entryPoint: FunctionInfo): readonly TextureUse[] {
  const walk = new Walk(program);
  walk.visit(entryPoint, new Map());
  return walk.uses;
}

class Walk {
  readonly uses: TextureUse[] = [];
  readonly #program: Program;
  /** Functions with the variables that their parameters stand for. */
  readonly #seen = new Set<string>();

  constructor(program: Program) {
    this.#program = program;
  }

  visit(info: FunctionInfo, handles: Handles): void {
    const key = [info.declaration.id, ...info.params.map((param) => handles.get(param)?.declaration.id ?? "")].join();
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    forEachExpression(info.declaration.body, (expr) => {
      if (expr.kind === "call") this.#call(expr, handles);
    });
  }

  #call(expr: ast.CallExpr, handles: Handles): void {
    const call = this.#program.callOf[expr.id];
    const found = expr.args.map((arg) => this.#handle(arg, handles));
    if (call?.kind === "builtin") {
      const texture = found.find((each) => each !== null && isTexture(each.type)) ?? null;
      const sampler = found.find((each) => each?.type.kind === "sampler") ?? null;
      if (texture !== null) this.uses.push({ texture, sampler });
    } else if (call?.kind === "function") {
      const passed = new Map<ParameterInfo, VariableInfo>();
      for (const [i, param] of call.function.params.entries()) {
        if (isHandle(param.type) && found[i] != null) passed.set(param, found[i]);
      }
      this.visit(call.function, passed);
    }
  }

  /** The texture or sampler variable that an expression names; null: it names none. */
  #handle(expr: ast.Expr, handles: Handles): VariableInfo | null {
    if (expr.kind !== "identifier") return null;
    const entity = this.#program.entityOf[expr.id];
    if (entity?.kind === "variable") return isHandle(entity.type) ? entity : null;
    if (entity?.kind === "parameter") return handles.get(entity) ?? null;
    if (entity?.kind !== "value" || entity.declaration.kind !== "let") return null;
    return isHandle(entity.type) ? this.#handle(entity.declaration.initializer, handles) : null;
  }
}
