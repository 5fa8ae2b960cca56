import fc from "fast-check";
import { expect, test } from "vitest";
import { openedFile, plainText, writtenText } from "./written.ts";

const text = fc
  .array(fc.constantFrom("\r\n", "\n", "\r", "a", "bc", " ", "\ufeff", "\u2028", "é"), { maxLength: 30 })
  .map((parts) => parts.join(""));

test("opening a file and looking at it changes no byte", () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(writtenText(openedFile({ name: "a", text: given }))).toBe(given);
    }),
  );
});

test("what was opened before, and edited since, is opened again as it is", () => {
  fc.assert(
    fc.property(text, text, (given, edit) => {
      const file = { ...openedFile({ name: "a", text: given }), text: plainText(edit) };
      expect(writtenText(openedFile(file))).toBe(writtenText(file));
    }),
  );
});

test("what is written is what the editor shows, and undoing an edit gives the file back", () => {
  fc.assert(
    fc.property(text, text, (given, edit) => {
      const file = openedFile({ name: "a", text: given });
      const edited = { ...file, text: plainText(edit) };
      expect(plainText(writtenText(edited)).replace(/^\ufeff+/, "")).toBe(edited.text.replace(/^\ufeff+/, ""));
      expect(writtenText({ ...edited, text: file.text })).toBe(given);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["a\r\nb\r\nc\r\n", "a\nB\nB\nc\n", "a\r\nB\r\nB\r\nc\r\n"],
  ["a\r\nb\nc\rd", "a\nb\nx\nc\nd", "a\r\nb\nx\r\nc\rd"],
  ["\ufeffa\nb", "A\nb", "\ufeffA\nb"],
  ["\ufeffa\nb", "a\nB", "\ufeffa\nB"],
  ["a\r\nb", "a\nb\n", "a\r\nb\r\n"],
  ["a\rb\n", "a\n\nb\n", "a\r\rb\n"],
  ["a\r\nb\rc\n\nd", "a\nb\n\nd", "a\r\nb\r\rd"],
])("an edit changes its own lines alone: %j", (given, text, written) => {
  expect(writtenText({ ...openedFile({ name: "a", text: given }), text })).toBe(written);
});
