/** Which module-scope variables a function touches, where and how, also through the functions it calls. */
import type { FunctionInfo, Program, VariableInfo } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import type { Span } from "../text/source.ts";

export type AccessKind = "read" | "write" | "atomic";

export interface StaticAccess {
  readonly variable: VariableInfo;
  readonly kind: AccessKind;
  readonly span: Span;
}

/** Variables that the pointer parameters of a function stand for, by parameter index. */
type Roots = readonly (VariableInfo | null)[];

/**
 * What these functions do together, in order of place, each place and kind once. Private and function memory is left out:
 * nobody shares it.
 */
export function accessesOf(program: Program, ...entries: readonly FunctionInfo[]): readonly StaticAccess[] {
  const found = new Walk(program).visit(entries);
  return [...found.values()].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

const touching = new WeakMap<Program, ReadonlySet<FunctionInfo>>();

/** Functions that name a variable others may see, or are given a pointer, or call one of these: the rest is not walked through. */
function touchingFunctions(program: Program): ReadonlySet<FunctionInfo> {
  let found = touching.get(program) as Set<FunctionInfo> | undefined;
  if (found !== undefined) return found;
  found = new Set<FunctionInfo>();
  // Callees come first.
  for (const info of program.functions) {
    let touches = info.callees.some((callee) => found!.has(callee));
    forEachExpression(info.declaration.body, (expression) => {
      const entity = program.entityOf[expression.id];
      touches ||= entity?.kind === "parameter" ? program.typeOf[expression.id]?.kind === "pointer" : isShared(entity);
    });
    if (touches) found.add(info);
  }
  touching.set(program, found);
  return found;
}

function isShared(entity: Program["entityOf"][number]): boolean {
  return entity?.kind === "variable" && entity.scope === "module" && isSharedSpace(entity);
}

function isSharedSpace({ space }: VariableInfo): boolean {
  return space !== "private" && space !== "handle";
}

class Walk {
  readonly #program: Program;
  readonly #touching: ReadonlySet<FunctionInfo>;
  readonly #found = new Map<string, StaticAccess>();
  readonly #visited = new Set<string>();
  /** Calls still to be followed: no recursion, chains of calls may be long. */
  readonly #pending: (readonly [FunctionInfo, Roots])[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#touching = touchingFunctions(program);
  }

  visit(entries: readonly FunctionInfo[]): ReadonlyMap<string, StaticAccess> {
    for (const entry of entries) this.#pending.push([entry, []]);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#function(...next);
    return this.#found;
  }

  #function(callee: FunctionInfo, roots: Roots): void {
    if (!this.#touching.has(callee)) return;
    const key = `${callee.declaration.id}:${roots.map((root) => root?.declaration.id ?? "").join()}`;
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    const written = new Set<ast.Expr>();
    forEachExpression(
      callee.declaration.body,
      (expression) => this.#expression(expression, roots, written),
      (statement) => this.#statement(statement, roots, written),
    );
  }

  #statement(statement: ast.Statement, roots: Roots, written: Set<ast.Expr>): void {
    if (statement.kind !== "assign" && statement.kind !== "increment") return;
    const compound = statement.kind === "increment" || statement.operator !== null;
    written.add(statement.left);
    if (compound) this.#add(statement.left, "read", roots);
    this.#add(statement.left, "write", roots);
  }

  #expression(expression: ast.Expr, roots: Roots, written: Set<ast.Expr>): void {
    if (expression.kind === "call") this.#call(expression, roots);
    if (written.has(expression)) return;
    const type = this.#program.typeOf[expression.id];
    const usedAs = this.#program.usedAs[expression.id];
    if (type?.kind === "reference" && usedAs !== null && usedAs.kind !== "reference")
      this.#add(expression, "read", roots);
  }

  #call(call: ast.CallExpr, roots: Roots): void {
    const info = this.#program.callOf[call.id];
    if (info?.kind === "function") {
      this.#pending.push([info.function, call.args.map((arg) => this.#pointerRoot(arg, roots))]);
    } else if (info?.kind === "builtin" && info.name.startsWith("atomic")) {
      this.#add(call.arg(0), "atomic", roots, call.span);
    } else if (info?.kind === "builtin" && info.name === "workgroupUniformLoad") {
      this.#add(call.arg(0), "read", roots, call.span);
    }
  }

  #pointerRoot(expression: ast.Expr, roots: Roots): VariableInfo | null {
    return this.#program.typeOf[expression.id]?.kind === "pointer" ? this.#root(expression, roots) : null;
  }

  /** spec: #root-ident-sec */
  #root(expression: ast.Expr, roots: Roots): VariableInfo | null {
    switch (expression.kind) {
      case "unary":
        return this.#root(expression.operand, roots);
      case "index":
      case "member":
        return this.#root(expression.object, roots);
      case "call": {
        // Buffer views: the pointer that they were made from.
        const info = this.#program.callOf[expression.id];
        return info?.kind === "builtin" && expression.argCount > 0 ? this.#root(expression.arg(0), roots) : null;
      }
      case "identifier": {
        const entity = this.#program.entityOf[expression.id];
        if (entity?.kind === "variable") return entity.scope === "module" ? entity : null;
        if (entity?.kind === "parameter") return roots[entity.index] ?? null;
        return entity?.kind === "value" ? this.#root(entity.declaration.initializer, roots) : null;
      }
      default:
        return null;
    }
  }

  #add(expression: ast.Expr, kind: AccessKind, roots: Roots, at: Span = expression.span): void {
    const variable = this.#root(expression, roots);
    if (variable === null || !isSharedSpace(variable)) return;
    this.#found.set(`${variable.declaration.id}:${kind}:${at.start}:${at.end}`, { variable, kind, span: at });
  }
}
