/** The wasm engine in Chromium: in a page that may share memory between threads, and in one that may not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openPages, type Pages } from "../support/page.ts";

interface Histogram {
  readonly status: string;
  readonly engine: string;
  readonly notes: readonly string[];
  readonly bins: readonly number[];
  readonly expected: readonly number[];
}
interface Report {
  readonly isolated: boolean;
  readonly before: Histogram;
  readonly stuck: { readonly status: string; readonly reason: string; readonly another: string };
  readonly after: Histogram;
  readonly launch: { readonly ok: boolean; readonly bins: readonly number[] };
}

describe.runIf(hasChromium)("in Chromium", () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages("test/browser/page");
  }, 120_000);
  afterAll(() => pages?.close());

  test.each([
    ["/isolated/", true, []],
    ["/", false, ["no-shared-memory"]],
  ] as const)("the page %s", async (path, isolated, notes) => {
    const { before, stuck, after, launch, ...found } = (await pages.report(path)) as Report;
    expect(found.isolated).toBe(isolated);
    for (const { status, engine, notes: said, bins, expected } of [before, after]) {
      expect({ status, engine, said }).toEqual({ status: "ok", engine: "wasm", said: notes });
      expect(bins).toEqual(expected);
    }
    // 1000 values in 16 bins: the first eight get one more than is expected.
    expect(launch).toEqual({ ok: false, bins: [...new Array(8).fill(63), ...new Array(8).fill(62)] });
    expect(stuck).toEqual({ status: "timeout", reason: "milliseconds", another: "enough" });
  });
});
