/** What a text declares, and which parts of it can be folded away. */
import type { Program } from "../analysis/program.ts";
import * as ast from "../syntax/ast.ts";
import { tokenize } from "../syntax/lexer.ts";
import { printExpression } from "../syntax/print.ts";
import type { Source, Span } from "../text/source.ts";
import { typeName } from "../types/type.ts";
import { parametersText } from "./describe.ts";
import type { DocumentSymbol, FoldingRange, SymbolKind } from "./types.ts";

/** The declarations of the module in the order of the text, structures with their members. */
export function documentSymbols(program: Program): readonly DocumentSymbol[] {
  return program.module.declarations.flatMap((node) => {
    if (!ast.isNamed(node) || node.name.text === "") return [];
    return [symbol(program, node)];
  });
}

function symbol(program: Program, node: ast.NamedDecl): DocumentSymbol {
  const children = node.kind === "struct" ? node.members.map(member) : [];
  return {
    name: node.name.text,
    kind: kindOf(program, node),
    detail: detailOf(program, node),
    nameSpan: node.name.span,
    span: node.span,
    children,
  };
}

function member({ name, type, span }: ast.StructMember): DocumentSymbol {
  return { name: name.text, kind: "member", detail: printExpression(type), nameSpan: name.span, span, children: [] };
}

function kindOf(program: Program, node: ast.GlobalDecl): SymbolKind {
  switch (node.kind) {
    case "function": {
      const info = program.declared[node.id];
      return info?.kind === "function" && info.stage !== null ? "entry-point" : "function";
    }
    case "const":
      return "constant";
    case "override":
    case "struct":
    case "alias":
      return node.kind;
    default:
      return "variable";
  }
}

function detailOf(program: Program, node: ast.GlobalDecl): string {
  if (node.kind === "alias") return printExpression(node.type);
  if (node.kind === "function") return parametersText(node);
  const entity = program.declared[node.id];
  if (node.kind === "struct" || entity === null || !("type" in entity)) return "";
  return typeName(entity.type);
}

// ---------------------------------------------------------------- folding

/** Blocks, comments and directives that take more than one line; from the tokens, so that it needs no whole tree. */
export function foldingRanges(program: Program): readonly FoldingRange[] {
  const { source, module } = program;
  const found = [...blocks(source), ...comments(source, module.comments), ...directives(module.directives)];
  return found
    .filter(({ start, end }) => source.position(start).line < source.position(end).line)
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** From behind `{` to before its `}`. */
function blocks({ text }: Source): FoldingRange[] {
  const open: number[] = [];
  const found: FoldingRange[] = [];
  for (const { class: kind, span } of tokenize(text)) {
    if (kind !== "punctuation") continue;
    if (text[span.start] === "{") open.push(span.end);
    else if (text[span.start] === "}" && open.length > 0) {
      found.push({ kind: "block", start: open.pop()!, end: span.start });
    }
  }
  return found;
}

/** Line comments one below the other are one. */
function comments(source: Source, all: readonly ast.Comment[]): FoldingRange[] {
  const runs: Span[] = [];
  for (const { span } of all) {
    const last = runs.at(-1);
    const between = last === undefined ? "" : source.text.slice(last.end, span.start);
    if (last !== undefined && /^\r?\n?[ \t]*$/.test(between))
      runs[runs.length - 1] = { start: last.start, end: span.end };
    else runs.push(span);
  }
  return runs.map((span) => ({ kind: "comment", ...span }));
}

function directives(all: readonly ast.Directive[]): FoldingRange[] {
  const last = all.at(-1);
  return last === undefined ? [] : [{ kind: "directives", start: all[0].span.start, end: last.span.end }];
}
