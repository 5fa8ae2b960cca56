/** Pages in Chromium, bundled by vite as an application that uses the package would be. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { root } from "../house/tree.ts";
import { compileSources } from "./compiled.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

export const hasChromium = existsSync(CHROMIUM);

export interface Pages {
  /** What the page leaves in `report`; cross-origin isolated below `/isolated/`. */
  report(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** @param source folder with an `index.html`, from the root of the repository */
export async function openPages(source: string): Promise<Pages> {
  const folder = mkdtempSync(join(tmpdir(), "halay-page-"));
  compileSources();
  await build({
    root: join(root, source),
    base: "./",
    configFile: false,
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, target: "es2022" },
    worker: { format: "es" },
  });
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  return {
    async report(path) {
      const page = await browser.newPage();
      const { port } = server.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}${path}index.html`);
      await page.waitForFunction("globalThis.report !== undefined");
      const result = await page.evaluate("globalThis.report");
      await page.close();
      return result;
    },
    async close() {
      await browser.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
