/** An archive of files, not compressed: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */

/** Names are written in UTF-8. */
const UTF8 = 0x800;
/** 1 January 1980: nothing is said of when files were made. */
const NO_DATE = 0x21;

export function zip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const path = new TextEncoder().encode(name);
    // Version, flags, no compression, time, date, checksum, sizes, lengths of name and extra field.
    const about = [16, 20, 16, UTF8, 16, 0, 16, 0, 16, NO_DATE, 32, crc32(bytes), 32, bytes.length, 32, bytes.length];
    const local = [fields(32, 0x04034b50, ...about, 16, path.length, 16, 0), path, bytes];
    directory.push(
      fields(32, 0x02014b50, 16, 20, ...about, 16, path.length, 16, 0, 16, 0, 16, 0, 16, 0, 32, 0, 32, offset),
      path,
    );
    parts.push(...local);
    offset += sizeOf(local);
  }
  const size = sizeOf(directory);
  const end = fields(32, 0x06054b50, 16, 0, 16, 0, 16, files.size, 16, files.size, 32, size, 32, offset, 16, 0);
  return joined([...parts, ...directory, end]);
}

/** Pairs of a width in bits and a value, least byte first. */
function fields(...pairs: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    for (let bit = 0; bit < pairs[i]; bit += 8) bytes.push((pairs[i + 1] >>> bit) & 255);
  }
  return Uint8Array.from(bytes);
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
