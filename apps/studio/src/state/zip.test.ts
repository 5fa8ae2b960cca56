import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { zip } from "./zip.ts";

/** Names and contents by the directory at the end, as programs that unpack read it. */
function unzipped(bytes: Uint8Array): readonly (readonly [string, string])[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset);
  const end = bytes.length - 22;
  expect(data.getUint32(end, true)).toBe(0x06054b50);
  const count = data.getUint16(end + 10, true);
  let at = data.getUint32(end + 16, true);
  expect(at + data.getUint32(end + 12, true)).toBe(end);
  const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length));
  return Array.from({ length: count }, () => {
    expect(data.getUint32(at, true)).toBe(0x02014b50);
    const [nameLength, local] = [data.getUint16(at + 28, true), data.getUint32(at + 42, true)];
    const size = data.getUint32(at + 24, true);
    const name = text(at + 46, nameLength);
    expect(data.getUint32(local, true)).toBe(0x04034b50);
    const start = local + 30 + data.getUint16(local + 26, true) + data.getUint16(local + 28, true);
    expect(crc32(bytes.subarray(start, start + size))).toBe(data.getUint32(at + 16, true));
    at += 46 + nameLength;
    return [name, text(start, size)] as const;
  });
}

test("an archive holds its files", () => {
  const files = [
    ["a.wgsl", "fn f() {}\r\n"],
    ["çok/güzel 🎉.json", "{}"],
    ["empty.bin", ""],
  ] as const;
  const archive = zip(new Map(files.map(([name, text]) => [name, new TextEncoder().encode(text)])));
  expect(unzipped(archive)).toEqual(files);
  expect(unzipped(zip(new Map()))).toEqual([]);
});
