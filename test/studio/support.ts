/** The built studio in Chromium: served as static files, isolated below `/isolated/`, and by the command's own server. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** With the GPU that SwiftShader makes of the CPU. */
const GPU_FLAGS = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--ignore-gpu-blocklist",
];

export interface StudioPage {
  readonly page: Page;
  /** What went wrong in the page since it was opened. */
  readonly problems: readonly string[];
}

export interface Studio {
  /** The built files. */
  readonly folder: string;
  /** `path`: `/` or `/isolated/`, with a fragment. */
  open(path: string, how?: OpenOptions): Promise<StudioPage>;
  /** Bytes, compressed, that have been sent since the last page was opened. */
  sent(): { readonly path: string; readonly bytes: number }[];
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly language?: string;
}

export async function openStudio(): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), "halay-studio-"));
  compileSources();
  await build({
    configFile: join(root, "apps/studio/vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder },
  });
  const sent: { path: string; bytes: number }[] = [];
  const server = await serve(folder, (path, bytes) => sent.push({ path, bytes: gzipSync(bytes, { level: 9 }).length }));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...GPU_FLAGS],
  });
  const { port } = server.address() as AddressInfo;
  return {
    folder,
    sent: () => [...sent],
    open: async (path, how = {}) => {
      sent.length = 0;
      return openPage(browser, `http://127.0.0.1:${port}${path}`, how);
    },
    async close() {
      await browser.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openPage(browser: Browser, url: string, how: OpenOptions): Promise<StudioPage> {
  // A context of its own has nothing in its cache.
  const context = await browser.newContext({
    viewport: { width: how.width ?? 1280, height: how.height ?? 800 },
    colorScheme: how.theme ?? "light",
    locale: how.language ?? "en",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(25_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}

function serve(folder: string, onSent: (path: string, bytes: Buffer) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, "http://localhost").pathname;
    const isolated = path.startsWith("/isolated/");
    const inside = path.replace(/^\/isolated/, "").replace(/\/$/, "/index.html");
    const file = join(folder, inside);
    if (!existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(file);
    onSent(inside, bytes);
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      ...(isolated ? ISOLATION : {}),
    });
    response.end(bytes);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** The fragment that the studio makes of files, made by other means. */
export async function fragmentOf(files: Readonly<Record<string, string>>): Promise<string> {
  const { deflateRawSync } = await import("node:zlib");
  const text = JSON.stringify({ files: Object.entries(files), active: Object.keys(files)[0] });
  return `#s=${deflateRawSync(text).toString("base64url")}`;
}

export const PANELS = ["Contract", "Launch", "Result", "Findings", "Contention"] as const;

export async function showPanel(page: Page, name: (typeof PANELS)[number]): Promise<void> {
  await page.locator("#panel-pane").getByRole("tab", { name }).click();
}

/** Waits until nothing runs. */
export async function pressAndWait(page: Page, name: "Run" | "Find races" | "Profile"): Promise<void> {
  await page.getByRole("toolbar").getByRole("button", { name, exact: true }).click();
  await page.getByRole("toolbar").getByRole("button", { name, exact: true }).waitFor({ timeout: 60_000 });
}

/** Waits until an expression is true in the page; `waitForFunction` would need what the page's policy forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if ((await page.evaluate(expression)) === true) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true: ${expression}`);
}

export const editorText = async (page: Page) => (await page.locator(".cm-line").allTextContents()).join("\n");
export const ready = (page: Page) => page.locator("[data-ready]").waitFor();
