/** `halay/vitest/setup` in projects of their own: which tests it lets fail, and what it says. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { read, root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function runVitest(cwd: string, ...options: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--maxWorkers=1", ...options];
  const env = { ...process.env, NO_COLOR: "1" };
  return spawnSync(process.execPath, args, { cwd, env, encoding: "utf8", timeout: 120_000 });
}

/** By title, the failure or null. */
const results = new Map<string, string | null>();
/** What went wrong outside of tests, by file. */
const outside = new Map<string, string>();

beforeAll(() => {
  compileSources();
  const { stdout } = runVitest(join(root, "test/webgpu/vitest-project"), "--reporter=json");
  const report: Report = JSON.parse(stdout.slice(stdout.indexOf("{")));
  for (const { name, message } of report.testResults) outside.set(basename(name), message);
  for (const { title, status, failureMessages } of report.testResults.flatMap((each) => each.assertionResults)) {
    results.set(title, status === "passed" ? null : failureMessages.join("\n"));
  }
}, 240_000);

test.each([
  "right",
  "races, which is allowed",
  "right, with the matcher",
  "races, with the opposite of the matcher",
  "launch as expected",
  "right, after an error",
  "an error in a scope",
  "an error that a listener prevents",
  "an error that ‘onuncapturederror’ prevents",
  "right, before a hook that is wrong",
])("passes: %s", (title) => {
  expect(results.get(title)).toBeNull();
});

test.each([
  ["races", "race-workgroup"],
  ["races, with the matcher", "race-workgroup"],
  ["launch not as expected", "b[3] is 3, expected was 4"],
  ["a shader that is illegal", "GPUValidationError: GPUDevice.createShaderModule(): "],
  ["a bind group that is forgotten", "GPUValidationError: "],
  ["an offset that is not aligned", "100"],
  ["an error, and then the device is destroyed", "100"],
  ["an error with the matcher", "100"],
  ["drawing", "GPUInternalError: "],
  ["an error that a listener only looks at", "100"],
  ["an error in a scope for others", "100"],
])("fails: %s", (title, message) => {
  expect(results.get(title)).toContain(message);
});

test("an error in a hook after the tests fails their file", () => {
  expect(outside.get("errors.case.ts")).toContain("from 512 on, is empty");
  expect(outside.get("sum.case.ts")).toBe("");
});

test("the project in the README fails on the race, in the words that are shown, and passes with the barrier", () => {
  const folder = mkdtempSync(join(tmpdir(), "halay-readme-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/halay"));
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  writeFileSync(join(folder, "package.json"), "{}");

  const section =
    read("README.md")
      .split("\n## ")
      .find((text) => text.includes("`halay/vitest/setup`\n")) ?? "";
  const [configuration, reverse, session] = [...section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  const [before, after] = reverse.split("\n    data[i] = ");
  writeFileSync(join(folder, "vitest.config.mjs"), configuration);
  writeFileSync(join(folder, "reverse.test.ts"), reverse);
  writeFileSync(join(folder, "mended.test.ts"), `${before}\n    workgroupBarrier();\n    data[i] = ${after}`);
  const { stdout, stderr } = runVitest(folder);
  rmSync(folder, { recursive: true });

  expect(stdout).toContain("✓ mended.test.ts");
  expect(stdout).toContain("1 failed | 1 passed");
  expect(stderr).toContain(session.slice(session.indexOf(" FAIL "), session.indexOf("  = spec:")));
}, 240_000);
