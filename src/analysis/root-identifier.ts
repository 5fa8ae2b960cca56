/** Which variable or pointer parameter a memory view or pointer comes from. spec: #root-ident-sec */
import type * as ast from "../syntax/ast.ts";
import { factsOf } from "./context.ts";
import type { Facts } from "./fact-table.ts";
import type { ParameterInfo, Program, VariableInfo } from "./program.ts";

export type Root = VariableInfo | ParameterInfo;

/** Answers for one program; what a `let` stands for is asked once. */
export class RootIdentifiers {
  readonly #facts: Facts;
  readonly #ofLet = new Map<ast.LetDecl | ast.ConstDecl, Root | null>();

  constructor(program: Program) {
    this.#facts = factsOf(program);
  }

  /** null: the expression is neither of pointer nor of reference type. */
  of(expr: ast.Expr): Root | null {
    let at = expr;
    for (;;) {
      switch (at.kind) {
        case "identifier":
          return this.#ofIdentifier(at);
        case "unary":
          if (at.operator !== "&" && at.operator !== "*") return null;
          at = at.operand;
          break;
        case "index":
        case "member":
          at = at.object;
          break;
        case "call":
          // spec: #root-ident-sec: of calls, only `bufferView` and `bufferArrayView` give a pointer.
          if (this.#facts.typeOf(at.id)?.kind !== "pointer" || at.argCount === 0) return null;
          at = at.arg(0);
          break;
        default:
          return null;
      }
    }
  }

  #ofIdentifier(expr: ast.IdentifierExpr): Root | null {
    const entity = this.#facts.entityOf(expr.id);
    if (entity?.kind === "variable" || entity?.kind === "parameter") return entity;
    if (entity?.kind !== "value" || this.#facts.typeOf(expr.id)?.kind !== "pointer") return null;
    const known = this.#ofLet.get(entity.declaration);
    if (known !== undefined) return known;
    const root = this.of(entity.declaration.initializer);
    this.#ofLet.set(entity.declaration, root);
    return root;
  }

  /**
   * Whether a reference or pointer is a view of the whole variable or parameter that it comes from.
   * spec: #func-var-value-analysis: full references and full pointers.
   */
  isFull(expr: ast.Expr): boolean {
    let at = expr;
    for (;;) {
      if (at.kind === "unary" && (at.operator === "&" || at.operator === "*")) at = at.operand;
      else if (at.kind !== "identifier") return false;
      else {
        const entity = this.#facts.entityOf(at.id);
        if (entity?.kind !== "value") return true;
        at = entity.declaration.initializer;
      }
    }
  }
}
