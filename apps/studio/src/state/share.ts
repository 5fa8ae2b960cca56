/** The whole session in the fragment of an address: compressed, so that nothing has to be stored anywhere. */
import { cleanName, freeName } from "./names.ts";
import type { OpenFile } from "./store.ts";
import { openedFile, writtenText } from "./written.ts";

export interface Shared {
  readonly files: readonly OpenFile[];
  readonly active: string;
}

const MARK = "#s=";
/** What a link may unpack to, in bytes: a few kilobytes can hold gigabytes of zeros. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_FILES = 200;

/** null: there is more than a link may hold. */
export async function toFragment({ files, active }: Shared): Promise<string | null> {
  const bytes = new TextEncoder().encode(JSON.stringify({ files: pairsOf(files), active }));
  if (bytes.length > MOST_BYTES || files.length > MOST_FILES) return null;
  return MARK + base64Url((await through(bytes, new CompressionStream("deflate-raw")))!);
}

/** null: the fragment is none of ours. */
export async function fromFragment(fragment: string): Promise<Shared | "damaged" | "too-large" | null> {
  if (!fragment.startsWith(MARK)) return null;
  try {
    const bytes = await through(bytesOfBase64(fragment.slice(MARK.length)), new DecompressionStream("deflate-raw"));
    if (bytes === null) return "too-large";
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (countOf(value) > MOST_FILES) return "too-large";
    return sharedOf(value) ?? "damaged";
  } catch {
    return "damaged";
  }
}

function countOf(value: unknown): number {
  const { files } = Object(value) as { readonly files?: unknown };
  return Array.isArray(files) ? files.length : 0;
}

/** Files as links and the browser's storage hold them. */
export function pairsOf(files: readonly OpenFile[]): readonly (readonly [string, string])[] {
  return files.map((file) => [file.name, writtenText(file)]);
}

/** Whoever made the value: only what is understood is taken, and every name once. */
export function sharedOf(value: unknown): Shared | null {
  const { files, active } = Object(value) as { readonly files?: unknown; readonly active?: unknown };
  if (!Array.isArray(files)) return null;
  const taken = new Map<string, OpenFile>();
  let shown: string | null = null;
  for (const pair of files as unknown[]) {
    const [given, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof given !== "string" || typeof text !== "string") continue;
    const name = freeName(cleanName(given), (each) => taken.has(each));
    taken.set(name, openedFile({ name, text }));
    if (given === active) shown ??= name;
  }
  const [first] = taken.keys();
  return first === undefined ? null : { files: [...taken.values()], active: shown ?? first };
}

/** null: more than `MOST_BYTES` come out. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array | null> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough<Uint8Array<ArrayBuffer>>(stream)
    .getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > MOST_BYTES) {
      void reader.cancel();
      return null;
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x6000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x6000)));
  }
  return btoa(parts.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Of base64, as addresses have it or as files do. */
export function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (unit) => unit.charCodeAt(0));
}
