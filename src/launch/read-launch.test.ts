import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonProblem } from "./json-syntax.ts";
import { readLaunch } from "./read-launch.ts";
import { schemaText } from "./schema.ts";

/** `line:column code message` of each diagnostic. */
function said(text: string): readonly string[] {
  const { diagnostics, source, launch } = readLaunch(text, "a.launch.json");
  expect(launch === null).toBe(diagnostics.length > 0);
  return diagnostics.map(({ code, message, span }) => {
    const { line, column } = source.position(span.start);
    return `${line}:${column} ${code}: ${message}`;
  });
}

describe("text that is no JSON", () => {
  test.each([
    ["", "1:1 launch-syntax: expected a value, found the end of the text"],
    ['{"shader": "a.wgsl",}', "1:21 launch-syntax: expected a name in double quotes, found ‘}’"],
    ['{"shader" "a.wgsl"}', '1:11 launch-syntax: expected ‘:’, found ‘"a.wgsl"’'],
    ['{"read": ["a" "b"]}', '1:15 launch-syntax: expected ‘,’ or ‘]’, found ‘"b"’'],
    ['{"read": ["a",]}', "1:15 launch-syntax: expected a value, found ‘]’"],
    ['{"a": 01}', "1:7 launch-syntax: expected a value, found ‘01’"],
    ['{"a": NaN}', "1:7 launch-syntax: expected a value, found ‘NaN’"],
    [
      '{\n  // why\n  "entry": "main"\n}',
      "2:3 launch-syntax: expected a name in double quotes or ‘}’, found a comment",
    ],
    ["{'entry': 1}", "1:2 launch-syntax: expected a name in double quotes or ‘}’, found ‘'’"],
    [
      '{"entry": "main',
      "1:11 launch-syntax: expected a value, found a string that does not end or holds what it may not",
    ],
    ['{"entry": "main"', "1:17 launch-syntax: expected ‘,’ or ‘}’, found the end of the text"],
    ["{} {}", "1:4 launch-syntax: expected nothing more, found ‘{’"],
  ])("%s", (text, expected) => {
    expect(said(text)).toEqual([expected]);
  });

  test("is told from JSON as JSON.parse does", () => {
    const accepts = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const piece = fc.constantFrom(
      '"',
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      " ",
      "1",
      "-",
      ".",
      "e",
      "0",
      "true",
      "null",
      '"a"',
      "\\",
      "\n",
      "\u0001",
    );
    const texts = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
    );
    fc.assert(
      // Numbers that JSON allows and no double holds are a fault here.
      fc.property(
        texts.filter((text) => !/e\d{3}/.test(text)),
        (text) => (jsonProblem(text) === null) === accepts(text),
      ),
      { numRuns: 5000 },
    );
  });

  test("a number that no type holds", () => {
    const expected = 'expected a number up to ±3.4028235e+38, the largest f32, or "Infinity" in quotes';
    const before = '{"buffers": {"a": [1, ';
    expect(said(`${before}1e400]}}`)).toEqual([`1:${before.length + 1} launch-syntax: ${expected}, found ‘1e400’`]);
  });

  test("nested 100,000 deep", () => {
    const deep = "[".repeat(100_000);
    const tooDeep = "1:306 launch-syntax: expected at most 256 brackets inside each other, found ‘[’";
    const before = '{"shader": "a.wgsl", "buffers": {"a": {"values": ';
    expect(said(`${before}${deep}`)).toEqual([tooDeep.replace("306", String(before.length + 254))]);
    expect(said(`${before}${deep}${"]".repeat(100_000)}}}}`)).toHaveLength(1);
    expect(said(`${before}${"[".repeat(250)}${"]".repeat(250)}}}}`)).toEqual([]);
  });
});

describe("JSON that is no launch", () => {
  test.each([
    ["[]", "1:1 launch-type: expected an object, found an array"],
    ['{"shader": 1}', "1:12 launch-type: expected a string, found 1"],
    ['{"workgroups": [70000]}', "1:17 launch-too-large: 70000 is more than 65535"],
    ['{"workgroups": [1, 1, 1, 1]}', "1:16 launch-too-many: expected 3 or fewer items, found 4"],
    ['{"workgroups": -1}', "1:16 launch-too-small: -1 is less than 0"],
    ['{"workgroups": "4"}', "1:16 launch-type: expected an array or a whole number or an object, found a string"],
    ['{"steps": []}', "1:11 launch-too-few: expected 1 or more items, found 0"],
    ['{"steps": [{"entry": "a", "repeat": 0}]}', "1:37 launch-too-small: 0 is less than 1"],
    ['{"buffers": {"a": {"u32": [1, -2]}}}', "1:31 launch-too-small: -2 is less than 0"],
    ['{"buffers": {"a": {"u32": [1, "x"]}}}', "1:31 launch-type: expected a whole number, found a string"],
    [
      '{"buffers": {"a": true}}',
      "1:19 launch-type: expected a string or a number or an array or an object, found a boolean",
    ],
    [
      '{"buffers": {"a": {"value": 1}}}',
      "1:20 launch-unknown-key: ‘value’ is not known here; known are ‘values’, ‘file’, ‘u32’, ‘i32’, ‘f32’, ‘bytes’, ‘same’, ‘unwritten’, ‘spec’",
    ],
    ['{"workgroups": 1, "invocations": 5}', "1:19 launch-conflict: ‘workgroups’ and ‘invocations’ exclude each other"],
    ['{"call": "f()", "entry": "main"}', "1:17 launch-conflict: ‘call’ and ‘entry’ exclude each other"],
    ['{"tolerance": {"ulps": 1}}', "1:16 launch-unknown-key: ‘ulps’ is not known here; known are ‘abs’, ‘rel’, ‘ulp’"],
  ])("%s", (text, expected) => {
    expect(said(text)).toEqual([expected]);
  });

  test.each([
    [
      '{"entry": "a", "entry": "b"}',
      ["1:16 launch-repeated-key: ‘entry’ is given twice here, and only the last would be taken"],
    ],
    [
      '{"buffers": {"a": [1], "b": 2, "\\u0061": "x"}}',
      ["1:32 launch-repeated-key: ‘a’ is given twice here, and only the last would be taken"],
    ],
    ['{"entry": "entry", "steps": [{"repeat": 1}, {"repeat": 1}], "call": "steps"}', []],
  ])("names that are there twice: %s", (text, expected) => {
    expect(said(text).filter((each) => !each.includes("exclude"))).toEqual(expected);
  });

  test.each([
    ['{"buffers": {"p": {"dt": 1, "n": 2}}}', '{"values":{"dt":1,"n":2}}'],
    [`{"buffers": {"p": {"dt": [${"1000, ".repeat(20)} 1]}}}`, '{"values": …}'],
  ])("members that stand where the form of contents belongs: %s", (text, example) => {
    const [{ code, notes }] = readLaunch(text).diagnostics;
    expect([code, ...notes.map(({ message }) => message)]).toEqual([
      "launch-unknown-key",
      `the values of its members go under ‘values’: ${example}`,
    ]);
  });

  test.each([
    ['{"workgroup": 1}', "workgroups"],
    ['{"buffer": {}}', "buffers"],
    ['{"steps": [{"repeats": 2}]}', "repeat"],
    ['{"tolerance": {"ulps": 1}}', "ulp"],
    ['{"buffers": {"a": {"value": [1]}}}', "values"],
    ['{"expect": {"a": {"values": [1], "unorderd": true}}}', "unordered"],
    ['{"hostLayout": {"P": {"member": {}}}}', "members"],
    ['{"shape": 1}', null],
  ])("a name that is near to one that is known: %s", (text, near) => {
    const [{ code, notes }] = readLaunch(text).diagnostics;
    expect([code, ...notes.map(({ message }) => message)]).toEqual([
      "launch-unknown-key",
      ...(near === null ? [] : [`did you mean ‘${near}’?`]),
    ]);
  });

  test("every fault is told at once", () => {
    expect(said('{"entry": 1,\n "shade": "a.wgsl"}')).toEqual([
      "1:11 launch-type: expected a string, found 1",
      expect.stringContaining("2:2 launch-unknown-key: ‘shade’"),
    ]);
  });
});

test("a launch is read as it is written", () => {
  const text =
    '\ufeff{"shader": "a.wgsl", "buffers": {"a": "zeros:4", "b": {"values": [1], "unordered": true, "count": "c.n"}}}';
  expect(said(text)).toEqual([]);
  expect(readLaunch(text).launch).toMatchObject({ shader: "a.wgsl", buffers: { a: "zeros:4" } });
});

test("the schema file is what the source says: run tools/write-schema.mjs", () => {
  expect(readFileSync(new URL("../../schema/launch.schema.json", import.meta.url), "utf8")).toBe(schemaText());
});
