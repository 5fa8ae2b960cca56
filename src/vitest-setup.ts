/// <reference types="@webgpu/types" preserve="true" />
/**
 * `halay/vitest/setup`, for `setupFiles`: tests get a `navigator.gpu` that sanitizes every dispatch, and fail on what it
 * finds and on the errors that they do not capture.
 */
import { afterAll, afterEach, expect } from "vitest";
import { create, globals } from "./gpu.ts";
import { type Comparison, type Launch, printPretty, type RunResult, run } from "./index.ts";
import { nodeHost } from "./platform/node/host.ts";
import { install } from "./webgpu/install.ts";
import { findingsText, TestWatch } from "./webgpu/test-watch.ts";

const watch = new TestWatch(() => nodeHost.pause());

const helpers = {
  /**
   * Lets the running test have findings of this kind.
   * @param code as `race-storage`
   * @param reason why it is meant
   * @throws TypeError without a reason
   */
  allow(code: string, reason: string): void {
    watch.allow(code, reason);
  },
};

const gpu = create({
  sanitize: true,
  onFinding: (finding, device) => watch.addFinding(finding, device),
  onUncapturedError: (error) => watch.addError(error),
  onDevice: (device) => watch.addDevice(device),
});
install(globalThis, gpu, { ...globals, halay: helpers });

export { helpers as halay };

afterEach(failOnFaults);
// What the hooks after the last test have done is of no test.
afterAll(failOnFaults);

async function failOnFaults(): Promise<void> {
  const text = await watch.finish();
  if (text === null) return;
  const failure = new Error(text);
  // The place is in the shader; the stack has only ours.
  failure.stack = "";
  throw failure;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

async function toHaveNoFindings(device: GPUDevice): Promise<MatcherResult> {
  const findings = await watch.take(device);
  const pass = findings.length === 0;
  return { pass, message: () => (pass ? "halay found nothing in what was dispatched" : findingsText(findings)) };
}

async function toRunAsExpected(launch: Launch): Promise<MatcherResult> {
  const result = await run(launch);
  return { pass: result.ok, message: () => (result.ok ? "the launch runs as expected" : failureText(result)) };
}

function failureText({ diagnostics, comparisons }: RunResult): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map((each) => printPretty(each));
  const wrong = comparisons.filter(({ ok }) => !ok).map(comparisonText);
  return ["the launch does not run as expected:", ...errors, ...wrong].join("\n");
}

function comparisonText({ name, count, first }: Comparison): string {
  if (first === null) return `‘${name}’ is not as expected`;
  const others = count > 1 ? ` (and ${count - 1} more)` : "";
  return `${first.path} is ${JSON.stringify(first.actual)}, expected was ${JSON.stringify(first.expected)}${others}`;
}

expect.extend({ toHaveNoFindings, toRunAsExpected });

interface HalayMatchers<R> {
  /** Waits for the queue of a device: nothing that was dispatched races or goes out of bounds. */
  toHaveNoFindings(): Promise<R>;
  /** Runs a launch: it is legal, it ends, and its buffers hold what is expected. */
  toRunAsExpected(): Promise<R>;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: it merges with the declaration of vitest, which says so
  interface Matchers<T = any> extends HalayMatchers<T> {}
}

declare global {
  var halay: { allow(code: string, reason: string): void };
}
