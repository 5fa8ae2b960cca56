/** What people wrote about a declaration: the comment in front of it, or behind it on its line. */
import type * as ast from "../syntax/ast.ts";
import { isLineBreak, type Source, type Span } from "../text/source.ts";

/** Without slashes and stars; null: there is none. */
export function commentOn(
  source: Source,
  comments: readonly ast.Comment[],
  node: { readonly span: Span },
): string | null {
  return commentBefore(source, comments, node.span.start) ?? commentBehind(source, comments, node.span.end);
}

/** Comments that end on the line above, with nothing between, nor in front of them on their line. */
function commentBefore(source: Source, comments: readonly ast.Comment[], start: number): string | null {
  const { text } = source;
  const parts: string[] = [];
  let at = start;
  for (let i = lastBefore(comments, start); i >= 0; i--) {
    const { span } = comments[i];
    if (!isOneLineBreak(text.slice(span.end, at)) || !isFirstOnLine(source, span.start)) break;
    parts.unshift(plain(text.slice(span.start, span.end)));
    at = span.start;
  }
  return parts.length === 0 ? null : parts.join("\n");
}

function commentBehind(source: Source, comments: readonly ast.Comment[], end: number): string | null {
  const next = comments[lastBefore(comments, end) + 1];
  if (next === undefined || !/^[ \t]*[,;]?[ \t]*$/.test(source.text.slice(end, next.span.start))) return null;
  return plain(source.text.slice(next.span.start, next.span.end));
}

function lastBefore(comments: readonly ast.Comment[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comments[middle].span.start < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function isOneLineBreak(between: string): boolean {
  return /^[ \t]*(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])?[ \t]*$/.test(between);
}

function isFirstOnLine({ text }: Source, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && (text[at] === " " || text[at] === "\t")) at--;
  return at < 0 || isLineBreak(text.charCodeAt(at));
}

function plain(comment: string): string {
  if (comment.startsWith("//")) return comment.replace(/^\/\/+!?/, "").trim();
  const lines = comment
    .replace(/^\/\*+!?/, "")
    .replace(/\*+\/$/, "")
    .split(/\r?\n/);
  return lines
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join("\n")
    .trim();
}
