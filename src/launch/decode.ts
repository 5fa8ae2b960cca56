/** Text from bytes that may be anything. */
import "../diagnostics/catalogue-beyond.ts";
import { diagnostic, type MessageValue, note, type PlacedDiagnostic, phrase } from "../diagnostics/diagnostic.ts";
import { Source } from "../text/source.ts";

/** A text, or why there is none. */
export type ReadText =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: PlacedDiagnostic };

/** Beyond this it is no shader and no launch: to read it would only take the machine's memory. */
export const LARGEST_TEXT = 256 * 1024 * 1024;

export function tooLarge(path: string, count: number): ReadText {
  return unreadable(path, phrase("has-bytes", { count, limit: LARGEST_TEXT }));
}

/** Text of UTF-8 bytes; a byte order mark is dropped. */
export function decode(bytes: Uint8Array, path: string): ReadText {
  if (bytes.length > LARGEST_TEXT) return tooLarge(path, bytes.length);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return unreadable(path, phrase("is-utf16"));
  }
  const zeros = bytes.subarray(0, 4096).filter((byte) => byte === 0).length;
  if (zeros > Math.min(bytes.length, 4096) / 16) return unreadable(path, binaryKind(bytes));
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), problem: null };
  } catch {
    return invalidUtf8(bytes, path);
  }
}

function binaryKind(bytes: Uint8Array): MessageValue {
  const magic = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const spirv = magic === "03022307" || magic === "07230203";
  return phrase(spirv ? "is-spirv" : "is-binary");
}

/** Points to the first byte that begins no character. */
function invalidUtf8(bytes: Uint8Array, path: string): ReadText {
  const valid = (count: number): boolean => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, count), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valid(middle)) low = middle;
    else high = middle - 1;
  }
  const text = new TextDecoder().decode(bytes);
  // A slip in a text does not spoil every fourth character.
  if (text.split("\ufffd").length - 1 > text.length / 4) return unreadable(path, binaryKind(bytes));
  // Of a sequence that breaks off, its first byte is named.
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, low), { stream: true });
  const at = new TextEncoder().encode(whole).length;
  const byte = `0x${bytes[at].toString(16).padStart(2, "0")}`;
  const reason = phrase("invalid-byte", { offset: at, byte });
  const offset = whole.replace(/^\ufeff/, "").length;
  return { text: null, problem: problemAt(new Source(text, path), offset, reason) };
}

/** `near`: a path that may have been meant. */
export function unreadable(path: string, reason: MessageValue, near: string | null = null): ReadText {
  return { text: null, problem: problemAt(new Source("", path), 0, reason, near) };
}

function problemAt(source: Source, offset: number, reason: MessageValue, near: string | null = null): PlacedDiagnostic {
  const span = { start: offset, end: Math.min(offset + 1, source.text.length) };
  const notes = near === null ? [] : [note("did-you-mean", span, { name: near })];
  return { ...diagnostic("file-unreadable", span, { file: source.path, reason }, { notes }), source };
}
