/** The parameters of the call around a place. */
import type { Declaration, Program } from "../analysis/program.ts";
import { typeNamed } from "../analysis/types.ts";
import { returnsOf } from "../builtins/docs.ts";
import { constructorRows, isBuiltinName, rowsOf } from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { isWord, Token } from "../syntax/tokens.ts";
import type { Span } from "../text/source.ts";
import { typeName } from "../types/type.ts";
import { commentOn } from "./comments.ts";
import { type Cursor, cursorAt, type Level, openingOf } from "./cursor.ts";
import { functionText, parametersText, typeOfDeclaration } from "./describe.ts";
import { expressionsAround, visibleAt } from "./scope.ts";
import type { SignatureHelp } from "./types.ts";

type Signature = SignatureHelp["signatures"][number];

/** null: the place is in no list of arguments, or nothing is known of what is called. */
export function signatureHelp(program: Program, offset: number): SignatureHelp | null {
  const cursor = cursorAt(program.source.text, offset);
  if (cursor.isInert && cursor.wordStart !== offset) return null;
  const call = callAround(cursor);
  if (call === null) return null;
  const { name, level } = call;
  const activeParameter = level.commas;
  const own = visibleAt(program, cursor.tokens[level.opening].start).get(name);
  const alias = own?.kind === "alias" ? typeOfDeclaration(program, own) : null;
  if (own !== undefined && (alias === null || alias.kind === "struct")) {
    const signature = declaredSignature(program, own);
    return signature === null ? null : { signatures: [signature], activeSignature: 0, activeParameter };
  }
  const rows = rowsNamed(alias === null ? name : typeName(alias));
  if (rows.length === 0) return null;
  const signatures = rows.map((row) => predeclaredSignature(name, row));
  const takes = ({ parameters, label }: Signature) => parameters.length > activeParameter || label.includes("...");
  const chosen = rows.indexOf(chosenRow(program, cursor.tokens[level.opening].start) as BuiltinRow);
  const isFitting = chosen >= 0 && takes(signatures[chosen]);
  const activeSignature = isFitting ? chosen : Math.max(0, signatures.findIndex(takes));
  const { parameters } = signatures[activeSignature];
  // Behind `...` all are like the last one.
  const isLast = signatures[activeSignature].label.includes("...") && activeParameter >= parameters.length;
  return { signatures, activeSignature, activeParameter: isLast ? parameters.length - 1 : activeParameter };
}

/** The innermost parentheses that follow a name, and the name. */
function callAround({ tokens, levels }: Cursor): { readonly name: string; readonly level: Level } | null {
  for (let i = levels.length - 1; i > 0; i--) {
    const level = levels[i];
    if (level.kind === "brace") return null;
    if (level.kind !== "paren") continue;
    let at = level.opening - 1;
    if (tokens[at]?.kind === Token.templateArgsEnd) at = openingOf(tokens, at) - 1;
    const callee = tokens[at];
    if (callee === undefined || !isWord(callee.kind)) continue;
    const before = tokens[at - 1]?.kind;
    const isCall = callee.kind === Token.identifier && before !== Token.fn && before !== Token.attr;
    return isCall ? { name: callee.text, level } : null;
  }
  return null;
}

/** By the name of a function, or of a type: `vec3f`, `array<u32, 4>`. */
function rowsNamed(name: string): readonly BuiltinRow[] {
  if (isBuiltinName(name)) return rowsOf(name);
  const type = typeNamed(name);
  return constructorRows(/^\w+/.exec(type === null ? name : typeName(type))![0]);
}

/** The overload that analysis chose for the call whose arguments begin there. */
function chosenRow(program: Program, opening: number): BuiltinRow | null {
  for (const expr of expressionsAround(program, opening)) {
    if (expr.kind !== "call" || program.rowOf[expr.id] === null) continue;
    if (program.source.text.slice(expr.callee.span.end, opening).trim() !== "") continue;
    if (expr.callee.span.end <= opening && opening < expr.span.end) return program.rowOf[expr.id];
  }
  return null;
}

// ---------------------------------------------------------------- labels

function predeclaredSignature(name: string, row: BuiltinRow): Signature {
  const returned = returnsOf(name);
  return labelled(row.signature, returned === null ? null : `returns ${returned}`);
}

function declaredSignature(program: Program, node: Declaration): Signature | null {
  const documentation = commentOn(program.source, program.module.comments, node);
  if (node.kind === "function") {
    const info = program.declared[node.id];
    const text = info?.kind === "function" ? functionText(info) : `fn ${node.name.text}${parametersText(node)}`;
    return labelled(text, documentation);
  }
  if (node.kind !== "struct" && node.kind !== "alias") return null;
  const type = typeOfDeclaration(program, node);
  if (type?.kind !== "struct") return null;
  const members = type.members.map((member) => `${member.name}: ${typeName(member.type)}`);
  return labelled(`${node.name.text}(${members.join(", ")})`, documentation);
}

function labelled(label: string, documentation: string | null): Signature {
  return { label, parameters: parametersIn(label), documentation };
}

/** The parts of the first list in parentheses. */
export function parametersIn(label: string): readonly Span[] {
  const found: Span[] = [];
  let depth = 0;
  let start = label.indexOf("(") + 1;
  if (start === 0) return found;
  for (let at = start; at < label.length; at++) {
    const unit = label[at];
    const isEnd = unit === ")" && depth === 0;
    if (isEnd || (unit === "," && depth === 0)) {
      if (at > start) found.push({ start, end: at });
      start = at + 2;
    }
    if (isEnd) break;
    if (unit === "(" || unit === "<") depth++;
    else if (unit === ")" || (unit === ">" && label[at - 1] !== "-")) depth--;
  }
  return found;
}
