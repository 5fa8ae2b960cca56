/** From what a launch says of a buffer to its bytes. */
import { phrase } from "../diagnostics/diagnostic.ts";
import { type Layout, runtimeArray } from "../layout/layout.ts";
import { tooLarge, ValueError } from "../layout/view.ts";
import { padded } from "./file-array.ts";
import { fileFormat } from "./file-name.ts";
import { type FileReader, readBufferFile, valuesToBytes } from "./files.ts";
import { jsonProblem, jsonValue } from "./json-syntax.ts";
import type { BufferContents } from "./launch.ts";
import { at, atAsync, LaunchError, type LaunchPath, launchError } from "./problem.ts";
import { checkSchema, FORM_NAMES, LAUNCH_SCHEMA, type Schema } from "./schema.ts";
import { bufferSize, generate, isGenerated, parseSpec } from "./spec.ts";

/** What is needed beside the contents. */
export interface ContentsContext {
  readonly layout: Layout;
  /** Elements of a runtime-sized array where the contents do not say. */
  readonly defaultCount: number;
  readonly files: FileReader | null;
  /** Path of the launch file: names of files are seen from beside it. */
  readonly base: string;
  /** Where the contents stand in the launch. */
  readonly path: LaunchPath;
}

/** How the contents were given: values by layout, or words without one. */
export type ContentsForm = "values" | "u32" | "i32" | "f32" | "bytes";

export interface Contents {
  readonly bytes: Uint8Array;
  readonly form: ContentsForm;
  /** False: the host does not fill this buffer, its zeros are nobody's. */
  readonly filled: boolean;
  /** How many elements plain values give of an array; null where the bytes say it. */
  readonly elements?: number | null;
}

/** The name in `{"same": name}`, else null. */
export function sameAs(contents: unknown): string | null {
  return isObject(contents) && typeof contents.same === "string" ? contents.same : null;
}

/**
 * An object form that was written as text, as a command line has it: `{"same": "0.1"}`. A text of members that the
 * structure has is its literal, and every other text is left as it is.
 * @throws LaunchError for what can only be meant as a form, and is none; `path` is where the text stands
 */
export function spelledForm<T>(contents: T, layout: Layout, path: LaunchPath): T {
  if (typeof contents !== "string" || !/^\s*\{/.test(contents) || jsonProblem(contents) !== null) return contents;
  const form = jsonValue(contents) as object;
  const names = Object.keys(form);
  const members = names.filter((name) => layout.members.some((member) => member.name === name));
  if (members.length === names.length || "file" in form || "spec" in form) return contents;
  const [problem] = checkSchema(form, CONTENTS, LAUNCH_SCHEMA);
  if (problem === undefined) return form as T;
  if (members.length > 0 || !names.some((name) => FORM_NAMES.has(name))) return contents;
  throw new LaunchError([...path, ...problem.path], problem.code, problem.args);
}

const CONTENTS = LAUNCH_SCHEMA.properties!.buffers.additionalProperties as Schema;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isBinary(value);
}

function isBinary(value: unknown): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isShared(value);
}

function isShared(value: unknown): boolean {
  return typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer;
}

/** A number of 4-byte words by the name of their form. */
const WORDS = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** The bytes of a buffer of the layout. @throws LaunchError at `context.path` */
export async function makeContents(contents: BufferContents, context: ContentsContext): Promise<Contents> {
  return atAsync(context.path, () => contentsOf(contents as unknown, context));
}

async function contentsOf(contents: unknown, context: ContentsContext): Promise<Contents> {
  if (typeof contents === "string") return specContents(contents, context);
  if (isBinary(contents))
    return { bytes: at([], () => binaryBytes(contents, context.layout)), form: "bytes", filled: true };
  if (!isObject(contents) || isMembers(contents, context.layout)) return valueContents(contents, context);
  if (typeof contents.spec === "string") return specContents(contents.spec, context);
  if ("values" in contents) return valueContents(contents.values, context);
  if (typeof contents.file === "string") return fileContents(contents.file, context);
  for (const form of ["u32", "i32", "f32"] as const) {
    if (Array.isArray(contents[form])) return { bytes: wordBytes(form, contents[form]), form, filled: true };
  }
  if (typeof contents.bytes === "string") {
    return { bytes: wholeWords(base64Bytes(contents.bytes), context.layout), form: "bytes", filled: true };
  }
  if (typeof contents.unwritten === "number") {
    const bytes = new Uint8Array(bufferSize(context.layout, contents.unwritten));
    return { bytes, form: "values", filled: false };
  }
  return valueContents(contents, context); // In code: the members of a structure, by name.
}

/** `{ count: 1, values: [2] }` of a structure that has such members is no form. */
function isMembers(contents: object, { members }: Layout): boolean {
  const names = Object.keys(contents);
  return names.length > 1 && names.every((name) => members.some((member) => member.name === name));
}

async function specContents(text: string, context: ContentsContext): Promise<Contents> {
  const spec = parseSpec(text);
  if (spec.kind === "values") return valueContents(spec.values, context);
  if (!isGenerated(spec)) return fileContents(spec.file, context);
  return { bytes: generate(spec, context.layout, context.defaultCount), form: "values", filled: true };
}

function valueContents(values: unknown, { layout }: ContentsContext): Contents {
  const elements = layout.type.kind === "array" && Array.isArray(values) ? values.length : null;
  return { bytes: valuesToBytes(values, layout), form: "values", filled: true, elements };
}

async function fileContents(file: string, { layout, files, base }: ContentsContext): Promise<Contents> {
  const bytes = await readBufferFile(files, base, file, layout);
  return { bytes, form: fileFormat(file) === "bin" ? "bytes" : "values", filled: true };
}

function binaryBytes(contents: ArrayBufferView | ArrayBuffer, layout: Layout): Uint8Array {
  if (!ArrayBuffer.isView(contents)) return wholeWords(new Uint8Array(contents).slice(), layout);
  const width = (contents as { readonly BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
  if (width === 8) throw launchError([], "array-element-size", { kind: contents.constructor.name, found: width });
  return wholeWords(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength).slice(), layout);
}

/** A multiple of four bytes, or where an element may end between two (f16) made one. */
function wholeWords(bytes: Uint8Array, layout: Layout): Uint8Array {
  const length = bytes.byteLength;
  if (length % 4 === 0) return bytes;
  const element = runtimeArray(layout)?.array.stride ?? layout.size;
  if (element % 4 === 0 || length % 2 !== 0) {
    throw launchError([], "value-mismatch", { problem: phrase("value-words", { found: length }) });
  }
  return padded(bytes);
}

function wordBytes(form: keyof typeof WORDS, words: readonly unknown[]): Uint8Array {
  for (const [i, word] of words.entries()) {
    const number = typeof word === "string" ? Number(word) : word;
    const fits =
      typeof number === "number" && (form === "f32" || number === (form === "i32" ? number | 0 : number >>> 0));
    if (!fits) {
      const problem = phrase("value-no-word", { value: JSON.stringify(word) ?? String(word), type: form });
      throw new ValueError(`[${i}]`, problem);
    }
    if (form === "f32" && Number.isFinite(number) && !Number.isFinite(Math.fround(number as number))) {
      throw tooLarge(`[${i}]`, form, number as number);
    }
  }
  return new Uint8Array(WORDS[form].from(words.map(Number)).buffer);
}

/** @throws LaunchError */
export function base64Bytes(text: string): Uint8Array {
  const clean = text.replace(/\s/g, "");
  if (clean.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) throw launchError([], "base64-invalid", {});
  const binary = atob(clean);
  return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += 0x6000) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + 0x6000))));
  }
  return parts.join("");
}
