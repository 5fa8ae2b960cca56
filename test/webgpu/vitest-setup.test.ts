/** `halay/vitest/setup` in a project of its own: which tests it lets fail, and what it says. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** By title, the failure or null. */
const results = new Map<string, string | null>();

beforeAll(() => {
  compileSources();
  const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json", "--maxWorkers=1"];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: join(root, "test/webgpu/vitest-project"),
    encoding: "utf8",
    timeout: 120_000,
  });
  const report: Report = JSON.parse(stdout.slice(stdout.indexOf("{")));
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
])("passes: %s", (title) => {
  expect(results.get(title)).toBeNull();
});

test.each([
  ["races", "race-workgroup"],
  ["races, with the matcher", "race-workgroup"],
  ["launch not as expected", "b[3] is 3, expected was 4"],
])("fails: %s", (title, message) => {
  expect(results.get(title)).toContain(message);
});
