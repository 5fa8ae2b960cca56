/** The whole session in the fragment of an address: compressed, so that nothing has to be stored anywhere. */
import type { OpenFile } from "./store.ts";

export interface Shared {
  readonly files: readonly OpenFile[];
  readonly active: string;
}

const MARK = "#s=";

export async function toFragment({ files, active }: Shared): Promise<string> {
  const text = JSON.stringify({ files: files.map(({ name, text }) => [name, text]), active });
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return MARK + base64Url(bytes);
}

/** null: the fragment holds no session, or a damaged one. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith(MARK)) return null;
  try {
    const bytes = bytesOf(fragment.slice(MARK.length));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    return sharedOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whoever made the link: only what is understood is taken. */
function sharedOf(value: unknown): Shared | null {
  const { files, active } = value as { readonly files?: unknown; readonly active?: unknown };
  if (!Array.isArray(files)) return null;
  const taken = files.flatMap((pair: unknown) => {
    const [name, text] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return typeof name === "string" && typeof text === "string" ? [{ name, text }] : [];
  });
  if (taken.length === 0) return null;
  const known = taken.find(({ name }) => name === active) ?? taken[0];
  return { files: taken, active: known.name };
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const result = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(result).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x6000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x6000)));
  }
  return btoa(parts.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (unit) => unit.charCodeAt(0));
}
