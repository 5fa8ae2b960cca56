/** Breaks a valid program in one place. */
import fc from "fast-check";
import { Choice } from "./choice.ts";
import { type Program, programs } from "./program.ts";
import type { ProgramOptions } from "./scope.ts";
import {
  type Block,
  descendants,
  type Expression,
  type Node,
  type Part,
  print,
  replaced,
  type Statement,
  statement,
  statementText,
} from "./tree.ts";
import { WRONG_DECLARATIONS, WRONG_STATEMENTS } from "./wrong.ts";

export interface Broken {
  readonly source: string;
  /** What was done, in a word or two. */
  readonly what: string;
  /** Where, from 1. An error may show elsewhere. */
  readonly line: number;
  /** Wrong by all rules; otherwise it may have stayed valid. */
  readonly isCertain: boolean;
}

type Change = readonly [old: Node, replacement: Node | readonly Statement[], place: Statement];

/** One way to break a program; null where it has no place for it. */
interface Way {
  readonly what: string;
  readonly weight: number;
  readonly isCertain: boolean;
  readonly change: (module: Block, choice: Choice) => Change | null;
}

const WAYS: readonly Way[] = [
  { what: "wrong statement", weight: 12, isCertain: true, change: wrongStatement },
  { what: "wrong declaration", weight: 6, isCertain: true, change: wrongDeclaration },
  { what: "wrong type", weight: 6, isCertain: true, change: wrongType },
  { what: "undeclared name", weight: 4, isCertain: true, change: undeclaredName },
  { what: "missing &", weight: 3, isCertain: true, change: missingAddressOf },
  { what: "one argument more", weight: 4, isCertain: true, change: oneArgumentMore },
  { what: "missing semicolon", weight: 4, isCertain: true, change: missingSemicolon },
  { what: "declared twice", weight: 3, isCertain: true, change: declaredTwice },
  { what: "missing return", weight: 2, isCertain: false, change: missingReturn },
  { what: "missing parenthesis", weight: 2, isCertain: true, change: missingParenthesis },
  { what: "a character gone", weight: 6, isCertain: false, change: characterGone },
  { what: "a character more", weight: 4, isCertain: false, change: characterMore },
];

export function breakOne(program: Program, choice: Choice): Broken {
  const { module } = program;
  for (;;) {
    const way = choice.weighted(...WAYS.map((each) => [each.weight, each] as const));
    const change = way.change(module, choice);
    if (change === null) continue;
    const [old, replacement, place] = change;
    const { text, lines } = print(replaced(module, new Map([[old, replacement]])));
    return { source: text, what: way.what, line: lines.get(place) ?? 0, isCertain: way.isCertain };
  }
}

/** So many broken programs; the same seed gives the same ones. */
export function sampleBroken(count: number, seed: number, options: Partial<ProgramOptions> = {}): readonly Broken[] {
  const choices = fc.noShrink(fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 })));
  return fc.sample(fc.tuple(programs(options), choices), { numRuns: count, seed }).map(([program, stream]) => {
    const nextInt = (low: number, high: number) => low + (Number(stream.next().value) % (high - low + 1));
    return breakOne(program, new Choice({ nextInt }));
  });
}

function all<T extends Node>(module: Node, accepts: (node: Node) => T | null): readonly T[] {
  return [...descendants(module)].flatMap((node) => accepts(node) ?? []);
}

function functions(module: Block): readonly Statement[] {
  return module.statements.filter((each) => each.what === "function" || each.what === "entry");
}

function statementsOf(module: Block, accepts: (each: Statement) => boolean): readonly Statement[] {
  return functions(module).flatMap((each) =>
    all(each, (node) => (node.kind === "statement" && accepts(node) ? node : null)),
  );
}

/** The statement in place of an old one, with other parts. */
function instead(old: Statement, parts: readonly Part[]): Change {
  const next = { ...old, parts };
  return [old, next, next];
}

/** Puts a line before or behind a statement of some block. */
function beside(old: Statement, text: string, choice: Choice): Change {
  const line = statement("other", [text]);
  // Nothing may stand between a loop's last statement and its continuing block.
  const isFirst = choice.once(2) || /^(continuing|break if)/.test(String(old.parts[0]));
  return [old, isFirst ? [line, old] : [old, line], line];
}

function wrongStatement(module: Block, choice: Choice): Change | null {
  const inBlocks = statementsOf(
    module,
    (each) => !/^(case|default|continuing|break if|return|break|continue)\b/.test(String(each.parts[0])),
  );
  if (inBlocks.length === 0) return null;
  const text = choice.pick(WRONG_STATEMENTS);
  // Legal in a loop, or in a function of another kind.
  const places = /^(break|if seed_bool \{ continue|discard|_ = dpdx)/.test(text) ? mainStatements(module) : inBlocks;
  return places.length === 0 ? null : beside(choice.pick(places), text, choice);
}

function mainStatements(module: Block): readonly Statement[] {
  const main = module.statements.find((each) => each.declares === "main")!;
  return main.parts.flatMap((part) => (typeof part !== "string" && part.kind === "block" ? part.statements : []));
}

function wrongDeclaration(module: Block, choice: Choice): Change | null {
  // Not before directives: that would be a second mistake.
  const declarations = module.statements.filter(
    (each) => !/^(enable|requires|diagnostic)\b/.test(String(each.parts[0])),
  );
  return beside(choice.pick(declarations), choice.pick(WRONG_DECLARATIONS), choice);
}

/** The expressions of statements that fit on one line. */
function valuesOf(each: Statement): readonly Expression[] {
  return each.parts.flatMap((part) => (typeof part !== "string" && part.kind === "expression" ? [part] : []));
}

function wrongType(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, ({ what, parts }) => {
    const before = parts.at(-3);
    return what === "assignment" && typeof before === "string" && before === " = " && typeof parts.at(-2) !== "string";
  });
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const value = target.parts.at(-2) as Expression;
  const other = value.type.kind === "scalar" && value.type.name === "bool" ? "1.5" : "true";
  return instead(target, [...target.parts.slice(0, -2), other, ";"]);
}

function isSimple({ what }: Statement): boolean {
  return ["variable", "let", "assignment", "call", "phony"].includes(what);
}

function undeclaredName(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, (each) => isSimple(each) && valuesOf(each).length > 0);
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const inside = all(target, (node) => (node.kind === "expression" && !node.isConst ? node : null));
  if (inside.length === 0) return null;
  const old = choice.pick(inside);
  return within(target, old, { ...old, form: "primary", parts: ["nobody_declared_this"] });
}

/** A statement with one of its expressions replaced. */
function within(target: Statement, old: Node, next: Node): Change {
  const [changed] = replaced({ kind: "block", statements: [target] }, new Map([[old, next]])).statements;
  return [target, changed, changed];
}

function missingAddressOf(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, (each) => ["call", "atomic"].includes(each.what)).filter((each) =>
    each.parts.some((part) => typeof part === "string" && part.includes("&")),
  );
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const index = target.parts.findIndex((part) => typeof part === "string" && part.includes("&"));
  const parts = [...target.parts];
  parts[index] = String(parts[index]).replace("&", "");
  return instead(target, parts);
}

/** Of functions that take a certain number of arguments. */
const CALL = /^(?!vec|mat|array|if\b|\(|tame)[\w<>]+\($/;

function oneArgumentMore(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, isSimple).flatMap((target) =>
    all(target, (node) =>
      node.kind === "expression" && CALL.test(String(node.parts[0])) && node.parts.at(-1) === ")" ? node : null,
    ).map((call) => ({ target, call })),
  );
  if (candidates.length === 0) return null;
  const { target, call } = choice.pick(candidates);
  return within(target, call, { ...call, parts: [...call.parts.slice(0, -1), ", 1", ")"] });
}

function missingSemicolon(module: Block, choice: Choice): Change | null {
  const blocks = functions(module).flatMap((each) => all(each, (node) => (node.kind === "block" ? node : null)));
  const candidates = blocks.flatMap(({ statements }) =>
    statements.filter((each, index) => {
      const next = statements[index + 1];
      // Before an empty statement, or one in parentheses, it would go on.
      const goesOn = next !== undefined && /^[;({/]/.test(statementText(next));
      return isSimple(each) && String(each.parts.at(-1)).endsWith(";") && !goesOn;
    }),
  );
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const last = String(target.parts.at(-1));
  return instead(target, [...target.parts.slice(0, -1), last.slice(0, -1)]);
}

function declaredTwice(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, ({ what }) => what === "variable" || what === "let" || what === "const");
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const second = statement("let", [`let ${target.declares} = 1;`]);
  return [target, [target, second], second];
}

function missingReturn(module: Block, choice: Choice): Change | null {
  const candidates = functions(module).flatMap((each) => {
    const body = each.parts.find((part): part is Block => typeof part !== "string" && part.kind === "block");
    const last = body?.statements.at(-1);
    return last?.what === "return" && last.isNeeded && each.what === "function" ? [{ each, last }] : [];
  });
  if (candidates.length === 0) return null;
  const { each, last } = choice.pick(candidates);
  return [last, [], each];
}

function missingParenthesis(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, isSimple).filter((each) => /\)/.test(statementText(each)));
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  return instead(target, [without(statementText(target).trimEnd(), choice, (character) => character === ")")]);
}

function without(text: string, choice: Choice, accepts: (character: string) => boolean): string {
  const places = [...text].flatMap((character, index) => (accepts(character) ? [index] : []));
  const at = choice.pick(places);
  return [...text].filter((_, index) => index !== at).join("");
}

function characterGone(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, isSimple);
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  return instead(target, [without(statementText(target).trimEnd(), choice, (character) => character !== " ")]);
}

function characterMore(module: Block, choice: Choice): Change | null {
  const candidates = statementsOf(module, isSimple);
  if (candidates.length === 0) return null;
  const target = choice.pick(candidates);
  const text = statementText(target).trimEnd();
  const at = choice.int(0, text.length);
  const more = choice.pick([..."()[]{}<>;:,.&*!=+-/%^|~@_0x1ufhe \"'\\#$?`é²𝒳"]);
  return instead(target, [`${text.slice(0, at)}${more}${text.slice(at)}`]);
}
