/** Which declarations a name at some offset can denote. spec: #declaration-and-scope */
import type { Declaration, Program } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression, forEachPart } from "../syntax/walk.ts";

/** The function in whose body an offset lies; null: at module scope. */
export function functionAt(program: Program, offset: number): ast.FunctionDecl | null {
  const { text } = program.source;
  const found = program.module.declarations.findLast((node) => node.span.start < offset);
  return found?.kind === "function" && holds(text, found.body, offset) ? found : null;
}

/** The expressions of the function around an offset; of the whole module where there is none. */
export function expressionsAround(program: Program, offset: number): readonly ast.Expr[] {
  const fn = functionAt(program, offset);
  if (fn === null) return program.expressionOf.filter((expr) => expr !== null);
  const found: ast.Expr[] = [];
  forEachExpression(fn.body, (expr) => found.push(expr));
  return found;
}

/** By name what is in scope, inner declarations instead of those that they hide; inner ones last. */
export function visibleAt(program: Program, offset: number): ReadonlyMap<string, Declaration> {
  const visible = new Map<string, Declaration>();
  const declare = (node: Declaration): void => {
    const name = node.name.text;
    if (name === "") return;
    visible.delete(name);
    visible.set(name, node);
  };
  for (const node of program.module.declarations) {
    if (node.kind !== "const-assert" && node.kind !== "error-declaration") declare(node);
  }
  const fn = functionAt(program, offset);
  if (fn === null) return visible;
  fn.params.forEach(declare);
  locals(program.source.text, fn.body, offset, declare);
  return visible;
}

/** Down to the innermost statement around the offset, declaring what stands before it. */
function locals(text: string, body: ast.Statement, offset: number, declare: (node: Declaration) => void): void {
  let at: ast.Statement | null = body;
  while (at !== null) {
    const node: ast.Statement = at;
    at = null;
    const visit = (part: ast.Statement): void => {
      if (isLocal(part) && ends(text, part, offset)) declare(part);
      else if (holds(text, part, offset)) at = part;
    };
    forEachPart(node, visit, () => {});
    // The continuing block sees what the body declares.
    if (node.kind === "loop" && at === (node.continuing?.body ?? node)) node.body.statements.forEach(visit);
  }
}

function isLocal(node: ast.Statement): node is ast.LocalDecl {
  return node.kind === "var" || node.kind === "let" || node.kind === "const";
}

/** Whether the `;` of a declaration stands before the offset. */
function ends(text: string, node: ast.Statement, offset: number): boolean {
  if (node.span.end >= offset) return false;
  return /^\s*;/.test(text.slice(node.span.end, offset));
}

/** Also behind what has no brace yet: the text goes on there. */
function holds(text: string, node: ast.Statement, offset: number): boolean {
  const { start, end } = node.span;
  if (offset <= start) return false;
  if (offset < end) return true;
  return text[end - 1] !== "}" && !isLocal(node) && isOpen(node) && text.slice(end, offset).trim() === "";
}

function isOpen(node: ast.Statement): boolean {
  switch (node.kind) {
    case "compound":
    case "if":
    case "switch":
    case "loop":
    case "for":
    case "while":
      return true;
    default:
      return false;
  }
}
