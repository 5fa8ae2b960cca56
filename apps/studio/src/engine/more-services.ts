/** What is asked now and then: names, completion, launch files, the contract as TypeScript, values as files. Loaded when first asked for. */
import { bufferFile, diagnosticsToJson, generateTypeScript, readLaunch } from "halay";
import { completions, definition, hover, references, rename, signatureHelp, type Token, uniformity } from "halay/ide";
import { inLanguage, noteInLanguage } from "./in-language.ts";
import type { Calls, Inspection } from "./protocol.ts";
import { checkedOf } from "./services.ts";

type In<M extends keyof Calls> = Calls[M][0];
type Out<M extends keyof Calls> = Calls[M][1];

export async function inspectLaunch({ path, text, language }: In<"inspectLaunch">): Promise<Inspection> {
  const { diagnostics } = readLaunch(text, path);
  return {
    text,
    language,
    isWhole: true,
    tokens: jsonTokens(text),
    diagnostics: diagnosticsToJson(await inLanguage(diagnostics, language)),
    reflection: null,
    memory: { accesses: [], regions: [] },
  };
}

/** Colours of a launch file: names, texts, numbers. */
const JSON_TOKEN = /"(?:[^"\\\n]|\\.)*"(?=(\s*:)?)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

function jsonTokens(text: string): readonly Token[] {
  return [...text.matchAll(JSON_TOKEN)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    class: match[1] !== undefined ? "member" : match[0].startsWith('"') ? "type" : "number",
    isDeclaration: false,
    space: null,
  }));
}

export function typescript(input: In<"typescript">): string {
  const { program } = checkedOf(input);
  return program === null ? "" : generateTypeScript(program);
}

export async function hoverAt(input: In<"hover">): Promise<Out<"hover">> {
  const found = hover(checkedOf(input).analysis, input.offset);
  if (found === null || input.language === "en") return found;
  const parts = found.parts.map(async (part) =>
    part.kind === "returns" ? { ...part, text: (await noteInLanguage(part.note, input.language)).message } : part,
  );
  return { ...found, parts: await Promise.all(parts) };
}

export function definitionAt(input: In<"definition">): Out<"definition"> {
  return definition(checkedOf(input).analysis, input.offset);
}

export function referencesAt(input: In<"references">): Out<"references"> {
  return references(checkedOf(input).analysis, input.offset);
}

export async function renameAt(input: In<"rename">): Promise<Out<"rename">> {
  const result = rename(checkedOf(input).analysis, input.offset, input.name);
  return result.ok ? result : await noteInLanguage(result, input.language);
}

export function completionsAt(input: In<"completions">): Out<"completions"> {
  return completions(checkedOf(input).analysis, input.offset);
}

export function signatureHelpAt(input: In<"signatureHelp">): Out<"signatureHelp"> {
  return signatureHelp(checkedOf(input).analysis, input.offset);
}

export async function nonUniformFlowOf(input: In<"nonUniformFlow">): Promise<Out<"nonUniformFlow">> {
  const ranges = uniformity(checkedOf(input).analysis);
  return Promise.all(
    ranges.map(async (range) => {
      const notes = await Promise.all(range.notes.map((note) => noteInLanguage(note, input.language)));
      return { ...range, notes, reason: notes.at(-1)?.message ?? range.reason };
    }),
  );
}

export function exportBuffer({ name, format, bytes, layout }: In<"exportBuffer">): Out<"exportBuffer"> {
  return bufferFile(`${name}.${format}`, bytes, layout);
}

/** What was said in one language, in another. */
export async function say({ items, language }: In<"say">): Promise<Out<"say">> {
  const { translated } = await import("./translate.ts");
  return items.map((item) => {
    const { message, notes, fixes } = translated(item, language);
    return { message, notes: notes.map((note) => note.message), fixes: fixes.map(({ title }) => title) };
  });
}
