import { expect, test } from "vitest";
import { marked } from "../../test/support/marked.ts";
import { sharedMemory } from "./shared-memory.ts";

const HEAD = `var<workgroup> tile: array<u32, 64>;
var<workgroup> n: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<uniform> size: u32;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
`;
const LINES = HEAD.split("\n").length;

/** By line of the body: what it does, and its phase. */
function shown(body: string, entry?: string): string[] {
  const text = HEAD + body;
  const { accesses, regions } = sharedMemory(marked(text).program, entry);
  return body.split("\n").map((source, at) => {
    const line = at + LINES;
    const does = accesses
      .filter((access) => access.line === line)
      .map(({ kind, variable, call }) => {
        return [kind, call, variable].filter((part) => part !== null).join(" ");
      });
    const phases = regions.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
    const tint = phases.map(({ phase, backTo }) => (backTo === null ? `${phase}` : `${phase}→${backTo}`)).join();
    return `${tint} ${source.trim()}${does.length === 0 ? "" : ` // ${does.join(", ")}`}`.trim();
  });
}

test("each line says what it does to shared memory", () => {
  expect(
    shown(`tile[i] = out[i] + size;
      tile[i] += 1;
      atomicAdd(&n, tile[i]);
      let p = &tile[i];
      *p = 3;
      let a = vec2(out[0]).x;
    }`),
  ).toEqual([
    "tile[i] = out[i] + size; // write tile, read out",
    "tile[i] += 1; // read tile, write tile",
    "atomicAdd(&n, tile[i]); // atomic atomicAdd n, read tile",
    "let p = &tile[i];",
    "*p = 3; // write tile",
    "let a = vec2(out[0]).x; // read out",
    "}",
  ]);
});

test("barriers part the lines", () => {
  expect(
    shown(`tile[i] = 1;
      workgroupBarrier();
      let a = tile[0];
      storageBarrier();
      out[i] = a;
    }`),
  ).toEqual([
    "0 tile[i] = 1; // write tile",
    "workgroupBarrier(); // wait workgroupBarrier",
    "1 let a = tile[0]; // read tile",
    "storageBarrier(); // wait storageBarrier",
    "2 out[i] = a; // write out",
    "}",
  ]);
});

test("the end of a loop leads back to its head", () => {
  expect(
    shown(`tile[i] = 1;
      for (var s = 32u; s > 0; s /= 2) {
        workgroupBarrier();
        tile[i] += tile[i + s];
      }
      out[i] = workgroupUniformLoad(&tile[0]);
    }`),
  ).toEqual([
    "0 tile[i] = 1; // write tile",
    "0 for (var s = 32u; s > 0; s /= 2) {",
    "workgroupBarrier(); // wait workgroupBarrier",
    "1→0 tile[i] += tile[i + s]; // read tile, write tile, read tile",
    "1→0 }",
    "1→0 out[i] = workgroupUniformLoad(&tile[0]); // write out, read tile, wait workgroupUniformLoad tile",
    "}",
  ]);
});

test("each memory counts its own barriers", () => {
  const { regions } = sharedMemory(
    marked(`${HEAD} n1(); workgroupBarrier(); n1(); storageBarrier(); n1(); } fn n1() {}`).program,
  );
  expect(regions.map(({ phase, workgroupPhase, storagePhase }) => [phase, workgroupPhase, storagePhase])).toEqual([
    [0, 0, 0],
    [1, 1, 0],
    [2, 1, 1],
  ]);
});

test("functions count by what they are given, and wait for their callers", () => {
  const rest = `sync();
      add(&tile[i]);
    }
    fn sync() { workgroupBarrier(); }
    fn add(p: ptr<workgroup, u32>) {
      *p += 1;
    }
    @compute @workgroup_size(1) fn other() {
      tile[0] = 1;
    }
    fn unused() {
      tile[0] = 2;
    }`;
  const lines = shown(rest);
  expect(lines[0]).toBe("sync();");
  expect(lines[1]).toBe("1 add(&tile[i]);");
  expect(lines[5]).toBe("*p += 1; // read tile, write tile");
  expect(lines[8]).toBe("tile[0] = 1; // write tile");
  expect(lines[11]).toBe("tile[0] = 2; // write tile");
  const ofMain = shown(rest, "main");
  expect([ofMain[5], ofMain[8], ofMain[11]]).toEqual([
    "*p += 1; // read tile, write tile",
    "tile[0] = 1;",
    "tile[0] = 2;",
  ]);
});

test("a broken text keeps what is known", () => {
  expect(
    shown(`tile[i] = 1;
      let a = ;
      workgroupBarrier();
      out[i] = unknown;
    }
    fn loop1() { loop1(); workgroupBarrier(); }`),
  ).toEqual([
    "0 tile[i] = 1; // write tile",
    "0 let a = ;",
    "workgroupBarrier(); // wait workgroupBarrier",
    "1 out[i] = unknown; // write out",
    "}",
    "0 fn loop1() { loop1(); workgroupBarrier(); } // wait workgroupBarrier",
  ]);
});
