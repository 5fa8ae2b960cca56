/** Binaryen accepts every module that the engine emits; some of them as text, for people to look at. */
import { describe, expect, test } from "vitest";
import { type CompileOptions, tryToCompile } from "../../src/engine/wasm/compile.ts";
import { ModuleBuilder } from "../../src/engine/wasm/encoder.ts";
import { OP } from "../../src/engine/wasm/instructions.ts";
import type { IrModule } from "../../src/ir/ir.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { makePlan } from "../../src/launch/plan.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import { listFiles, read, root } from "../house/tree.ts";
import { samplePrograms } from "../random/program.ts";
import { innermostLoops, isValid } from "../support/binaryen.ts";
import { lowerText } from "../support/ir.ts";

/** One invocation at a time, as two workers need it; four at once; with functions that stay functions. */
const VARIANTS: readonly CompileOptions[] = [
  { sharedMemory: true, simd: "never" },
  { sharedMemory: false, simd: "always" },
  { sharedMemory: false, longestInlined: 0 },
];

/** How many modules were made of the launch's shader; fails if one of them is not valid. */
async function validated(launch: Launch, options: Parameters<typeof makePlan>[1] = {}): Promise<number> {
  const { steps } = await makePlan(launch, options);
  const modules = new Set(steps.map(({ module }) => module));
  const kernels = [...modules].flatMap((module) => VARIANTS.flatMap((variant) => tryToCompile(module, variant) ?? []));
  for (const { bytes } of kernels) expect(isValid(bytes)).toBe(true);
  return kernels.length;
}

const files = nodeFiles(root);

test("the examples", async () => {
  let count = 0;
  for (const path of listFiles("examples", ".launch.json")) {
    const { launch, source } = readLaunch(read(path), path);
    count += await validated(launch!, { source, files });
  }
  expect(count).toBeGreaterThan(50);
});

test("the cases", async () => {
  let count = 0;
  for (const path of listFiles("test/cases", ".json")) {
    const { launch, verdict } = JSON.parse(read(path)) as { launch: Launch; verdict: { legal: boolean } };
    if (!verdict.legal) continue;
    const { hostLayout: _, ...others } = launch;
    count += await validated({ ...others, shader: read(`test/cases/${launch.shader as string}`) });
  }
  expect(count).toBeGreaterThan(100);
});

test.each(["a", "b"] as const)("random programs of level %s", async (level) => {
  for (const { launch } of samplePrograms(12, 4, { level, outOfBounds: true, size: 40 })) {
    expect(await validated(launch as Launch)).toBe(VARIANTS.length);
  }
});

test("a module that is wrong", () => {
  const module = (code: readonly number[]): Uint8Array => {
    const builder = new ModuleBuilder(false);
    const run = builder.declare("run", { params: [], results: ["i32"] });
    builder.define(run, { locals: [], code: new Uint8Array(code), positions: [] });
    return builder.finish();
  };
  expect(isValid(module([OP.i32_const, 1, OP.end]))).toBe(true);
  expect(isValid(module([OP.end]))).toBe(false);
  expect(isValid(module([OP.f32_const, 0, 0, 0, 0, OP.end]))).toBe(false);
});

describe("innermost loops", () => {
  /** Those of the code for workgroups that are in bounds as a whole. */
  function loopOf(module: IrModule): string {
    return innermostLoops(tryToCompile(module, { sharedMemory: false })!.bytes)[0];
  }

  test("a histogram: four invocations a round, one load of a value and one plain sum in memory each", () => {
    expect(loopOf(lowerText(read("examples/histogram.wgsl")))).toMatchInlineSnapshot(`
      "(loop $label
        (local.set $22
          (i32.add
            (local.get $8)
            (i32.shl
              (i32.and
                (i32.load
                  (i32.add
                    (i32.add (local.get $5) (i32.shl (local.get $19) (i32.const 2)))
                    (i32.shl (local.get $21) (i32.const 2))))
                (i32.const 15))
              (i32.const 2))))
        (i32.store (local.get $22) (i32.add (i32.load (local.get $22)) (i32.const 1)))
        (local.set $22
          (i32.add
            (local.get $8)
            (i32.shl
              (i32.and
                (i32.load offset=4
                  (i32.add
                    (i32.add (local.get $5) (i32.shl (local.get $19) (i32.const 2)))
                    (i32.shl (local.get $21) (i32.const 2))))
                (i32.const 15))
              (i32.const 2))))
        (i32.store (local.get $22) (i32.add (i32.load (local.get $22)) (i32.const 1)))
        (local.set $22
          (i32.add
            (local.get $8)
            (i32.shl
              (i32.and
                (i32.load offset=8
                  (i32.add
                    (i32.add (local.get $5) (i32.shl (local.get $19) (i32.const 2)))
                    (i32.shl (local.get $21) (i32.const 2))))
                (i32.const 15))
              (i32.const 2))))
        (i32.store (local.get $22) (i32.add (i32.load (local.get $22)) (i32.const 1)))
        (local.set $22
          (i32.add
            (local.get $8)
            (i32.shl
              (i32.and
                (i32.load offset=12
                  (i32.add
                    (i32.add (local.get $5) (i32.shl (local.get $19) (i32.const 2)))
                    (i32.shl (local.get $21) (i32.const 2))))
                (i32.const 15))
              (i32.const 2))))
        (i32.store (local.get $22) (i32.add (i32.load (local.get $22)) (i32.const 1)))
        (br_if $label (i32.ne (local.tee $21 (i32.add (local.get $21) (i32.const 4))) (i32.const 64))))"
    `);
  });

  test("a sum of arrays: eight invocations a round, four at once", () => {
    const source = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&a) && id.x < arrayLength(&b)) { b[id.x] += 2 * a[id.x]; }
}`;
    expect(loopOf(lowerText(source))).toMatchInlineSnapshot(`
      "(loop $label
        (local.set $25 (v128.const i32x4 0xffffffff 0xffffffff 0xffffffff 0xffffffff))
        (local.set $26
          (i32x4.add
            (i32x4.splat (local.get $22))
            (i32x4.add (i32x4.splat (local.get $24)) (v128.const i32x4 0x00000000 0x00000001 0x00000002 0x00000003))))
        (local.set $27 (i32.add (local.get $22) (local.get $24)))
        (local.set $28
          (f32x4.add
            (v128.load align=4
              (i32.add
                (i32.add (local.get $8) (i32.shl (local.get $22) (i32.const 2)))
                (i32.shl (local.get $24) (i32.const 2))))
            (f32x4.mul
              (f32x4.splat (local.get $11))
              (v128.load align=4
                (i32.add
                  (i32.add (local.get $5) (i32.shl (local.get $22) (i32.const 2)))
                  (i32.shl (local.get $24) (i32.const 2)))))))
        (v128.store align=4
          (i32.add (i32.add (local.get $8) (i32.shl (local.get $22) (i32.const 2))) (i32.shl (local.get $24) (i32.const 2)))
          (local.get $28))
        (local.set $25 (v128.const i32x4 0xffffffff 0xffffffff 0xffffffff 0xffffffff))
        (local.set $26
          (i32x4.add
            (i32x4.splat (local.get $22))
            (i32x4.add
              (i32x4.splat (i32.add (local.get $24) (i32.const 4)))
              (v128.const i32x4 0x00000000 0x00000001 0x00000002 0x00000003))))
        (local.set $27 (i32.add (local.get $22) (i32.add (local.get $24) (i32.const 4))))
        (local.set $28
          (f32x4.add
            (v128.load offset=16 align=4
              (i32.add
                (i32.add (local.get $8) (i32.shl (local.get $22) (i32.const 2)))
                (i32.shl (local.get $24) (i32.const 2))))
            (f32x4.mul
              (f32x4.splat (local.get $11))
              (v128.load offset=16 align=4
                (i32.add
                  (i32.add (local.get $5) (i32.shl (local.get $22) (i32.const 2)))
                  (i32.shl (local.get $24) (i32.const 2)))))))
        (v128.store offset=16 align=4
          (i32.add (i32.add (local.get $8) (i32.shl (local.get $22) (i32.const 2))) (i32.shl (local.get $24) (i32.const 2)))
          (local.get $28))
        (br_if $label (i32.ne (local.tee $24 (i32.add (local.get $24) (i32.const 8))) (i32.const 8))))"
    `);
  });
});
