/** The type of what stands before a period, also where the text is too broken for a tree. */
import type { Program } from "../analysis/program.ts";
import { typeNamed } from "../analysis/types.ts";
import type * as ast from "../syntax/ast.ts";
import { isWord, Token } from "../syntax/tokens.ts";
import { type Type, VOID, vectorType } from "../types/type.ts";
import { openingOf, type TokenAt } from "./cursor.ts";
import { typeOfDeclaration } from "./describe.ts";
import { behindView } from "./names.ts";
import { expressionsAround, visibleAt } from "./scope.ts";

/** null: not known. A memory view or pointer counts as what it gives access to. */
export function typeBefore(program: Program, tokens: readonly TokenAt[], period: number): Type | null {
  const type = behindView(typeInTree(program, tokens[period].start) ?? typeOfChain(program, tokens, period));
  return type === null || type.kind === "error" || type === VOID ? null : type;
}

function typeInTree(program: Program, period: number): Type | null {
  for (const expr of expressionsAround(program, period)) {
    if (expr.kind !== "member" || !isBetween(program, expr, period)) continue;
    const type = behindView(program.typeOf[expr.object.id]);
    if (type !== null && type.kind !== "error") return type;
  }
  return null;
}

function isBetween(program: Program, { object, span }: ast.MemberExpr, period: number): boolean {
  const { end } = object.span;
  return end <= period && period < span.end && /^[\s)]*$/.test(program.source.text.slice(end, period));
}

/** `name`, `f(…)` or `vec3f(…)`, then members and indices. */
function typeOfChain(program: Program, tokens: readonly TokenAt[], period: number): Type | null {
  const steps: ("index" | string)[] = [];
  let at = period - 1;
  for (; at >= 0; at--) {
    const { kind, text } = tokens[at];
    if (kind === Token.bracketRight) {
      steps.push("index");
      at = openingOf(tokens, at);
    } else if (isWord(kind) && tokens[at - 1]?.kind === Token.period) {
      steps.push(text);
      at--;
    } else break;
  }
  const base = at < 0 ? null : typeOfBase(program, tokens, at);
  return steps.reduceRight<Type | null>((type, step) => (type === null ? null : part(type, step)), base);
}

function typeOfBase(program: Program, tokens: readonly TokenAt[], at: number): Type | null {
  const { kind, text, start } = tokens[at];
  if (isWord(kind)) {
    const found = visibleAt(program, start).get(text);
    return found === undefined ? null : typeOfDeclaration(program, found);
  }
  if (kind !== Token.parenRight) return null;
  let callee = openingOf(tokens, at) - 1;
  if (tokens[callee]?.kind === Token.templateArgsEnd) callee = openingOf(tokens, callee) - 1;
  const name = tokens[callee];
  // `(*p)`, `(a + b)`: as the last operand.
  if (name === undefined || !isWord(name.kind)) return typeOfChain(program, tokens, at);
  const found = visibleAt(program, name.start).get(name.text);
  if (found === undefined) return typeNamed(name.text);
  const entity = program.declared[found.id];
  return entity?.kind === "function" ? entity.returnType : typeOfDeclaration(program, found);
}

function part(from: Type, step: string): Type | null {
  const type = behindView(from)!;
  if (step === "index") {
    if (type.kind === "vector" || type.kind === "array") return type.element;
    return type.kind === "matrix" ? vectorType(type.rows, type.element) : null;
  }
  if (type.kind === "struct") return type.members.find(({ name }) => name === step)?.type ?? null;
  if (type.kind !== "vector" || step.length > 4) return null;
  return step.length === 1 ? type.element : vectorType(step.length, type.element);
}
