/**
 * Texts as files hold them, and as the editor does: it knows one line break, and no byte order mark. What a file has
 * otherwise stays with it, so that looking changes no byte, and editing only what was edited.
 */
import { commonEnds } from "./common-ends.ts";
import type { OpenFile } from "./store.ts";

export function plainText(text: string): string {
  return plainBreaks(text.replace(/^\ufeff/, ""));
}

function plainBreaks(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** A file as the editor takes it; one that has been opened before stays what it is. */
export function openedFile(file: OpenFile): OpenFile {
  const { name, text } = file;
  if (file.given !== undefined) return file;
  const plain = plainText(text);
  return plain === text ? { name, text } : { name, text: plain, given: text };
}

/** The text of a file as it is saved and passed on. */
export function writtenText({ text, given }: OpenFile): string {
  if (given === undefined) return text;
  const mark = given.startsWith("\ufeff") ? "\ufeff" : "";
  const old = linesOf(given.slice(mark.length));
  const lines = linesOf(text);
  const { head, tail } = commonEnds(old, lines, (i, j) => plainBreaks(old[i]) === lines[j]);
  const usual = /\r\n?|\n/.exec(given)?.[0] ?? "\n";
  const changed = lines.slice(head, lines.length - tail).map((line) => line.replace("\n", usual));
  return mark + joined([...old.slice(0, head), ...changed, ...old.slice(old.length - tail)]);
}

/** A line that begins with "\n" must not become part of the break before it. */
function joined(lines: readonly string[]): string {
  let isAfterReturn = false;
  const apart = lines.map((line) => {
    const fits = isAfterReturn && line.startsWith("\n") ? `\r${line.slice(1)}` : line;
    isAfterReturn = fits.endsWith("\r");
    return fits;
  });
  return apart.join("");
}

/** Each with its line break. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
}
