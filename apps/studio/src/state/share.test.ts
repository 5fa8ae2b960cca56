import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromFragment, pairsOf, sharedOf, toFragment } from "./share.ts";

const session = {
  files: [
    { name: "a.wgsl", text: "// çok güzel\n".repeat(200) },
    { name: "b.json", text: "{}" },
  ],
  active: "b.json",
};

const fragmentOf = (text: string | Uint8Array) => `#s=${deflateRawSync(text).toString("base64url")}`;

test("a session comes back from its fragment, which is short and needs no escapes", async () => {
  const fragment = (await toFragment(session))!;
  expect(fragment).toMatch(/^#s=[\w-]+$/);
  expect(fragment.length).toBeLessThan(300);
  expect(await fromFragment(fragment)).toEqual(session);
});

test("line breaks and byte order marks come back as they were", async () => {
  const text = "\ufeffa\r\nb\nc\r";
  const opened = { name: "a.wgsl", text: "a\nb\nc\n", given: text };
  expect(await fromFragment((await toFragment({ files: [opened], active: "" }))!)).toEqual({
    files: [opened],
    active: "a.wgsl",
  });
});

test.each(["", "#", "#t=AAAA"])("‘%s’ is no link of ours", async (fragment) => {
  expect(await fromFragment(fragment)).toBe(null);
});

test.each([
  "#s=",
  "#s=%%%",
  "#s=AAAA",
  "#s=eyJ9",
  fragmentOf("null"),
  fragmentOf('{"files":{}}'),
  fragmentOf('{"files":[]}'),
  fragmentOf('{"files":[["a.wgsl",5],null,[]]}'),
  fragmentOf(Uint8Array.of(0x22, 0xff, 0x22)),
])("‘%s’ is damaged", async (fragment) => {
  expect(await fromFragment(fragment)).toBe("damaged");
});

test("a short link that unpacks to very much is not opened", async () => {
  const bomb = fragmentOf(new Uint8Array(64 * 2 ** 20));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await fromFragment(bomb)).toBe("too-large");
  const many = fragmentOf(JSON.stringify({ files: Array.from({ length: 1_000_000 }, () => ["", ""]) }));
  expect(await fromFragment(many)).toBe("too-large");
});

test("what is too large for a link makes none", async () => {
  const many = Array.from({ length: 201 }, (_, i) => ({ name: `${i}.wgsl`, text: "" }));
  expect(await toFragment({ files: many, active: "" })).toBe(null);
  const long = [{ name: "a.wgsl", text: "x".repeat(17 * 2 ** 20) }];
  expect(await toFragment({ files: long, active: "" })).toBe(null);
});

test("every name of a link is there once, and shows what it is", () => {
  const names = [
    "a.wgsl",
    "a.wgsl",
    "__proto__",
    "constructor",
    "constructor",
    "",
    "a\u202e.wgsl",
    "x/../y",
    "🎉.wgsl",
  ];
  const shared = sharedOf({ files: names.map((name, i) => [name, String(i)]), active: "constructor" })!;
  expect(shared.files.map(({ name, text }) => `${name} ${text}`)).toEqual([
    "a.wgsl 0",
    "a-2.wgsl 1",
    "__proto__ 2",
    "constructor 3",
    "constructor-2 4",
    "shader.wgsl 5",
    "a-3.wgsl 6",
    "y 7",
    "🎉.wgsl 8",
  ]);
  expect(shared.active).toBe("constructor");
});

test("whatever a link holds, what is taken of it can be opened, and passed on again", () => {
  const awkward = fc.constantFrom(" ", "/", ".", "..", "\\", "\u200b", "a", "🎉", "x".repeat(199), "-2");
  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(awkward).map((parts) => parts.join("")),
  );
  const pair = fc.oneof(fc.tuple(name, fc.string({ unit: "binary" })), fc.anything());
  const value = fc.oneof(fc.anything(), fc.record({ files: fc.array(pair), active: fc.anything() }));
  fc.assert(
    fc.property(value, (given) => {
      const shared = sharedOf(given);
      if (shared === null) return;
      const names = shared.files.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toContain(shared.active);
      expect(sharedOf({ files: pairsOf(shared.files), active: shared.active })).toEqual(shared);
    }),
  );
});
