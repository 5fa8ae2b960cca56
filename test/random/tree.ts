/**
 * Random programs as trees: text with expressions and blocks in it, each of which knows what a program needs to stay
 * valid when another one takes its place. Printing gives WGSL with one statement on a line.
 */
import { type Range, sameType, type Type, within } from "./types.ts";

/** What an expression looks like from outside: decides where parentheses go. */
export type Form =
  | "primary"
  | "unary"
  | "multiplicative"
  | "additive"
  | "shift"
  | "relational"
  | "and"
  | "or"
  | "binary-and"
  | "binary-or"
  | "binary-xor";

export interface Expression {
  readonly kind: "expression";
  readonly type: Type;
  readonly form: Form;
  readonly parts: readonly Part[];
  /** A const-expression: where one stands, another may take its place, and nothing else. */
  readonly isConst: boolean;
  /** Has the same value in all invocations of a workgroup, as far as uniformity analysis can tell. */
  readonly isUniform: boolean;
  readonly range: Range;
}

/** An expression in a place where only some forms can stand without parentheses. */
export interface Operand {
  readonly kind: "operand";
  readonly value: Expression;
  readonly forms: readonly Form[];
}

export interface Block {
  readonly kind: "block";
  readonly statements: readonly Statement[];
}

/** A statement; also a declaration at module scope. */
export interface Statement {
  readonly kind: "statement";
  readonly what: StatementKind;
  readonly parts: readonly Part[];
  /** The name that it declares for those after it. */
  readonly declares: string | null;
  /** The program needs it: to end, to be free of races, to return a value. */
  readonly isNeeded: boolean;
}

export type StatementKind =
  | "module"
  | "function"
  | "entry"
  | "variable"
  | "let"
  | "const"
  | "assignment"
  | "call"
  | "phony"
  | "if"
  | "switch"
  | "loop"
  | "for"
  | "while"
  | "block"
  | "jump"
  | "return"
  | "barrier"
  | "atomic"
  | "other";

export type Part = string | Expression | Operand | Block;
export type Node = Expression | Operand | Block | Statement;

export function statement(
  what: StatementKind,
  parts: readonly Part[],
  options: { readonly declares?: string; readonly isNeeded?: boolean } = {},
): Statement {
  return { kind: "statement", what, parts, declares: options.declares ?? null, isNeeded: options.isNeeded ?? false };
}

export function block(statements: readonly Statement[]): Block {
  return { kind: "block", statements };
}

const TIGHT: readonly Form[] = ["primary"];
const UNARY: readonly Form[] = ["primary", "unary"];
const FACTORS: readonly Form[] = [...UNARY, "multiplicative"];
const TERMS: readonly Form[] = [...FACTORS, "additive"];
/** An argument: `f(a < b, c > d)` would read as a template list. */
const ARGUMENT: readonly Form[] = [...TERMS, "shift", "binary-and", "binary-or", "binary-xor"];

function operand(value: Expression, forms: readonly Form[]): Operand {
  return { kind: "operand", value, forms };
}

/** Before a postfix: `.x`, `[i]`. */
export function tight(value: Expression): Operand {
  return operand(value, TIGHT);
}

export function afterUnary(value: Expression): Operand {
  return operand(value, UNARY);
}

export interface BinaryForms {
  readonly form: Form;
  readonly left: readonly Form[];
  readonly right: readonly Form[];
}

function chain(form: Form, operands: readonly Form[]): BinaryForms {
  return { form, left: [...operands, form], right: operands };
}

// spec: #operator-precedence-associativity
const BINARY: Readonly<Record<string, BinaryForms>> = {
  "*": chain("multiplicative", UNARY),
  "/": chain("multiplicative", UNARY),
  "%": chain("multiplicative", UNARY),
  "+": chain("additive", FACTORS),
  "-": chain("additive", FACTORS),
  "<<": { form: "shift", left: UNARY, right: UNARY },
  ">>": { form: "shift", left: UNARY, right: UNARY },
  "&": chain("binary-and", UNARY),
  "|": chain("binary-or", UNARY),
  "^": chain("binary-xor", UNARY),
  "&&": chain("and", [...TERMS, "shift", "relational"]),
  "||": chain("or", [...TERMS, "shift", "relational"]),
};

/** A shift needs none by the grammar, but `a < b >> c` reads as a template list. */
const RELATIONAL: BinaryForms = { form: "relational", left: TERMS, right: TERMS };

export function formOf(operator: string): Form {
  return (BINARY[operator] ?? RELATIONAL).form;
}

export function binaryParts(operator: string, left: Expression, right: Expression): readonly Part[] {
  const forms = BINARY[operator] ?? RELATIONAL;
  return [operand(left, forms.left), ` ${operator} `, operand(right, forms.right)];
}

/** `name(a, b)`. */
export function callParts(name: string, args: readonly (Expression | string)[]): readonly Part[] {
  const list = args.map((arg) => (typeof arg === "string" ? arg : operand(arg, ARGUMENT)));
  return [`${name}(`, ...list.flatMap((arg, i) => (i === 0 ? [arg] : [", ", arg])), ")"];
}

/** Where statements stand in the text. */
export interface Printed {
  readonly text: string;
  /** First line of each statement, from 1. */
  readonly lines: ReadonlyMap<Statement, number>;
}

export function print(module: Block): Printed {
  const lines = new Map<Statement, number>();
  let text = "";
  let line = 1;
  const write = (piece: string) => {
    text += piece;
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) line++;
  };
  const statements = (list: readonly Statement[], indent: string) => {
    for (const each of list) {
      lines.set(each, line);
      write(indent);
      for (const part of each.parts) printPart(part, indent);
      write("\n");
    }
  };
  const printPart = (part: Part, indent: string): void => {
    if (typeof part === "string") write(part);
    else if (part.kind === "block") {
      write("{\n");
      statements(part.statements, `${indent}  `);
      write(`${indent}}`);
    } else write(expressionText(part));
  };
  statements(module.statements, "");
  return { text, lines };
}

export function expressionText(part: Expression | Operand): string {
  if (part.kind === "operand") {
    const text = expressionText(part.value);
    return part.forms.includes(part.value.form) ? text : `(${text})`;
  }
  return part.parts.map((each) => (typeof each === "string" ? each : expressionText(each as Expression))).join("");
}

export function statementText(each: Statement): string {
  return print(block([each])).text;
}

export const WORD = /[\p{XID_Start}_][\p{XID_Continue}]*/gu;

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "operand":
      return [node.value];
    case "block":
      return node.statements;
    default:
      return node.parts.filter((part) => typeof part !== "string");
  }
}

export function* descendants(node: Node): Generator<Node> {
  for (const child of childrenOf(node)) {
    yield child;
    yield* descendants(child);
  }
}

/** The same tree with each key of `changes` replaced by its value: nodes by a node, statements by a list. */
export function replaced(module: Block, changes: ReadonlyMap<Node, Node | readonly Statement[]>): Block {
  const visit = <T extends Node>(node: T): T => {
    const change = changes.get(node);
    if (change !== undefined) return change as T;
    switch (node.kind) {
      case "operand": {
        const value = visit(node.value);
        return value === node.value ? node : { ...node, value };
      }
      case "block": {
        let changed = false;
        const statements = node.statements.flatMap((each) => {
          const next = visit<Statement>(each) as Statement | readonly Statement[];
          changed ||= next !== each;
          return next;
        });
        return changed ? { ...node, statements } : node;
      }
      default: {
        let changed = false;
        const parts = node.parts.map((part) => {
          if (typeof part === "string") return part;
          const next = visit(part);
          changed ||= next !== part;
          return next;
        });
        return changed ? { ...node, parts } : node;
      }
    }
  };
  return visit(module);
}

/** Whether `next` can stand where `old` does. */
function canReplace(next: Expression, old: Expression): boolean {
  return (
    next !== old &&
    sameType(next.type, old.type) &&
    next.isConst === old.isConst &&
    (next.isUniform || !old.isUniform) &&
    within(next.range, old.range)
  );
}

/**
 * Programs that are one step smaller, the boldest steps first: without groups of statements, without one, without the
 * statement around a block, with a part of an expression in its place, with the simplest expression of its type.
 */
export function* smaller(module: Block, simplest: (old: Expression) => Expression | null): Generator<Block> {
  const all = [...descendants(module)];
  const counts = new Map<string, number>();
  for (const word of wordsOf(print(module).text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const list of [module, ...all].filter((node) => node.kind === "block")) yield* withoutSome(module, list, counts);
  for (const each of all) {
    if (each.kind !== "statement" || !["if", "block", "switch"].includes(each.what) || each.isNeeded) continue;
    for (const inner of blocksIn(each)) {
      // In a switch, `break` means the switch.
      if (each.what === "switch" && /\bbreak\b/.test(print(inner).text)) continue;
      yield replaced(module, new Map([[each, [statement("block", [inner])]]]));
    }
  }
  for (const each of all) {
    if (each.kind !== "expression") continue;
    for (const part of descendants(each)) {
      if (part.kind === "expression" && canReplace(part, each)) yield replaced(module, new Map([[each, part]]));
    }
    const simple = simplest(each);
    if (simple !== null && expressionText(simple).length < expressionText(each).length && canReplace(simple, each)) {
      yield replaced(module, new Map([[each, simple]]));
    }
  }
}

/** The blocks that can stand without the statement around them: of a switch, those of its clauses. */
function blocksIn(each: Statement): readonly Block[] {
  const blocks = each.parts.filter((part): part is Block => typeof part !== "string" && part.kind === "block");
  return each.what === "switch" ? blocks.flatMap(({ statements }) => statements.flatMap(blocksIn)) : blocks;
}

function* withoutSome(module: Block, list: Block, counts: ReadonlyMap<string, number>): Generator<Block> {
  const removable = list.statements.filter((each) => !each.isNeeded);
  for (let size = removable.length; size >= 1; size = size >> 1) {
    for (let start = 0; start < removable.length; start += size) {
      const group = removable.slice(start, start + size);
      const inside = new Map<string, number>();
      for (const each of group) {
        for (const word of wordsOf(statementText(each))) inside.set(word, (inside.get(word) ?? 0) + 1);
      }
      const isFree = (each: Statement) =>
        each.declares === null || inside.get(each.declares) === counts.get(each.declares);
      if (group.every(isFree)) yield replaced(module, new Map(group.map((each) => [each, []])));
    }
  }
}
