/** Shaders that people were bitten by (`test/cases`): verdict and line, layouts, results, host layouts. */
import { describe, expect, test } from "vitest";
import { analyze } from "../src/analysis/analyze.ts";
import type { Launch } from "../src/launch/launch.ts";
import { run } from "../src/launch/run.ts";
import { reflect } from "../src/reflect/reflection.ts";
import { Source } from "../src/text/source.ts";
import { listFiles, read } from "./house/tree.ts";

interface Case {
  readonly verdict: {
    readonly legal: boolean;
    /** Of the error. */
    readonly line?: number;
    /** What the verdict turns into where a language feature is missing. */
    readonly without?: { readonly feature: string; readonly line: number };
  };
  readonly launch: Launch;
  /** "no: …": it may hang. */
  readonly runs?: string;
  readonly reflection?: StatedReflection;
  readonly findings: readonly {
    readonly kind: string;
    readonly line: number;
    readonly variable: string;
    readonly also_lines?: readonly number[];
  }[];
}

interface StatedMember {
  readonly name: string;
  readonly size: number;
  readonly stride?: number;
}

interface StatedReflection {
  readonly bindings: readonly {
    readonly group: number;
    readonly binding: number;
    readonly name: string;
    readonly type: string;
    readonly min_binding_size: number;
    readonly stride?: number;
  }[];
  readonly structs: Readonly<
    Record<
      string,
      {
        readonly size: number;
        readonly align: number;
        readonly members: readonly (StatedMember & { readonly offset: number })[];
      }
    >
  >;
  readonly workgroup?: readonly StatedMember[];
  readonly workgroup_bytes?: number;
  readonly workgroup_size: readonly number[];
  readonly overrides?: readonly { readonly name: string; readonly type: string; readonly default: number }[];
}

const cases = listFiles("test/cases", ".json").map((path) => {
  const stated = JSON.parse(read(path)) as Case;
  const shader = `test/cases/${stated.launch.shader as string}`;
  return {
    name: shader.slice("test/cases/".length, -".wgsl".length),
    stated,
    source: new Source(read(shader), shader),
  };
});

test("all cases are here", () => {
  expect(cases).toHaveLength(80);
});

function errorLines(source: Source, languageFeatures?: readonly string[]): number[] {
  const { diagnostics } = analyze(source, languageFeatures === undefined ? {} : { languageFeatures });
  return diagnostics.filter((item) => item.severity === "error").map(({ span }) => source.position(span.start).line);
}

test.each(cases)("verdict: $name", ({ stated: { verdict }, source }) => {
  expect(errorLines(source)).toEqual(verdict.legal ? [] : [verdict.line]);
  if (verdict.without !== undefined) expect(errorLines(source, [])).toEqual([verdict.without.line]);
});

describe("reflection", () => {
  const stated = cases.filter(({ stated }) => stated.reflection !== undefined);

  test.each(stated)("$name", ({ stated: { reflection, launch }, source }) => {
    const found = reflect(analyze(source), launch.overrides);
    const wanted = reflection!;
    const [entry] = found.entryPoints;
    expect(entry.workgroupSize).toEqual(wanted.workgroup_size);
    for (const { group, binding, name, type, min_binding_size, stride } of wanted.bindings) {
      const there = found.bindings.find((each) => each.group === group && each.binding === binding);
      expect(there).toMatchObject({ name, minBindingSize: min_binding_size });
      expect(there?.type.replace(/<f32>/g, "f")).toBe(type);
      if (stride !== undefined) expect(there?.layout?.stride).toBe(stride);
    }
    expect(found.bindings).toHaveLength(wanted.bindings.length);
    for (const [name, { size, align, members }] of Object.entries(wanted.structs)) {
      expect(found.structs[name]).toMatchObject({ size, align });
      const there = found.structs[name].members?.map(({ name, offset, size, layout }, i) => {
        const strided = members[i]?.stride !== undefined && layout.stride !== undefined;
        return { name, offset, size, ...(strided ? { stride: layout.stride } : {}) };
      });
      expect(there).toEqual(members);
    }
    for (const { name, size } of wanted.workgroup ?? []) {
      expect(found.workgroupVariables.find((each) => each.name === name)?.layout?.size).toBe(size);
    }
    if (wanted.workgroup_bytes !== undefined) expect(entry.workgroupBytes).toBe(wanted.workgroup_bytes);
    // The default as the shader states it: not what this launch overrides it with.
    const { overrides } = reflect(analyze(source));
    expect(overrides).toMatchObject(wanted.overrides ?? []);
  });
});

describe("result", () => {
  const stated = cases.filter(({ stated }) => stated.launch.expect !== undefined && stated.runs === undefined);

  test("there are enough to compare", () => {
    expect(stated.length).toBeGreaterThanOrEqual(39);
  });

  test.each(stated)("$name", async ({ stated: { launch }, source }) => {
    const result = await run({ ...launch, shader: analyze(source) });
    const errors = result.diagnostics.filter((item) => item.severity === "error" && item.code !== "layout-mismatch");
    expect(errors).toEqual([]);
    const wrong = result.comparisons.filter((each) => !each.ok);
    expect(wrong.map(({ name, first }) => ({ name, ...first }))).toEqual([]);
    expect(result.comparisons).toHaveLength(Object.keys(launch.expect!).length);
  });
});

describe("host layout", () => {
  const stated = cases.filter(({ stated }) => stated.launch.hostLayout !== undefined);

  test.each(stated)("$name", async ({ stated: { launch, findings }, source }) => {
    const result = await run({ ...launch, shader: analyze(source) });
    expect(result.ok).toBe(false);
    const found = result.diagnostics.filter((item) => item.code === "layout-mismatch");
    for (const { line, also_lines = [], variable } of findings) {
      const lines = found.map(({ span }) => source.position(span.start).line);
      expect(lines).toContain(line);
      expect([line, ...also_lines]).toEqual(expect.arrayContaining(lines));
      for (const { args } of found) expect(String(args.name).split(".")[0]).toBe(variable);
    }
  });
});
