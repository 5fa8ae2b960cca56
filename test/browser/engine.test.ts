/** The wasm engine in Chromium: in a page that may share memory between threads, and in one that may not. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

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
  readonly stuck: { readonly status: string; readonly reason: string; readonly ticks: number };
  readonly after: Histogram;
  readonly launch: { readonly ok: boolean; readonly bins: readonly number[] };
}

/** Serves the files of a folder, cross-origin isolated below `/isolated/`. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, "http://localhost").pathname;
    const isolated = path.startsWith("/isolated/");
    const file = join(folder, path.replace(/^\/isolated/, ""));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      ...(isolated ? ISOLATION : {}),
    });
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe.runIf(existsSync(CHROMIUM))("in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "halay-page-"));
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    compileSources();
    await build({
      root: join(root, "test/browser/page"),
      base: "./",
      configFile: false,
      logLevel: "error",
      build: { outDir: folder, emptyOutDir: true, target: "es2022" },
      worker: { format: "es" },
    });
    server = await serve(folder);
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function report(path: string): Promise<Report> {
    const page = await browser.newPage();
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}${path}index.html`);
    await page.waitForFunction("globalThis.report !== undefined");
    const result = (await page.evaluate("globalThis.report")) as Report;
    await page.close();
    return result;
  }

  test.each([
    ["/isolated/", true, []],
    ["/", false, ["no-shared-memory"]],
  ] as const)("the page %s", async (path, isolated, notes) => {
    const { before, stuck, after, launch, ...found } = await report(path);
    expect(found.isolated).toBe(isolated);
    for (const { status, engine, notes: said, bins, expected } of [before, after]) {
      expect({ status, engine, said }).toEqual({ status: "ok", engine: "wasm", said: notes });
      expect(bins).toEqual(expected);
    }
    // 1000 values in 16 bins: the first eight get one more than is expected.
    expect(launch).toEqual({ ok: false, bins: [...new Array(8).fill(63), ...new Array(8).fill(62)] });
    expect(stuck).toMatchObject({ status: "timeout", reason: "milliseconds" });
    // 300 ms with a tick every 5 ms at most: the page was never blocked.
    expect(stuck.ticks).toBeGreaterThan(5);
  });
});
