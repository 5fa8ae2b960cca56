import { expect, test } from "vitest";
import { cleanName, freeName } from "./names.ts";

test.each([
  ["a.wgsl", "a-2.wgsl"],
  ["a.launch.json", "a-2.launch.json"],
  ["dir.d/a", "dir.d/a-2"],
  [".hidden", ".hidden-2"],
  ["__proto__", "__proto__-2"],
  ["constructor", "constructor-2"],
])("‘%s’ is taken: %s", (name, free) => {
  const taken = new Set([name]);
  expect(freeName(name, (each) => taken.has(each))).toBe(free);
  expect(freeName(name, () => false)).toBe(name);
});

test.each([
  ["a\u202elsgw.wgsl", "alsgw.wgsl"],
  ["a\nb\0.wgsl", "ab.wgsl"],
  [" \u200b ", "shader.wgsl"],
  ["çok güzel 🎉.wgsl", "çok güzel 🎉.wgsl"],
  ["مرحبا.wgsl", "مرحبا.wgsl"],
  ["shaders\\a.wgsl", "shaders/a.wgsl"],
  ["x/../y.wgsl", "y.wgsl"],
  ["./../x//./y.wgsl", "../x/y.wgsl"],
  ["/etc/passwd", "etc/passwd"],
  ["..", ".."],
  ["./", "shader.wgsl"],
  [`${"a".repeat(300)}.wgsl`, `${"a".repeat(195)}.wgsl`],
])("a name shows what it is: %j", (name, clean) => expect(cleanName(name)).toBe(clean));
