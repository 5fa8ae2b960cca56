/** The built studio in Chromium: served as static files, isolated below `/isolated/`, and by the command's own server. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** For what takes longer than a test usually may, in milliseconds. */
export const LONG = 120_000;

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

interface StudioPage {
  readonly page: Page;
  /** What went wrong in the page since it was opened. */
  readonly problems: readonly string[];
}

interface Studio {
  /** The built files. */
  readonly folder: string;
  /** `path`: `/` or `/isolated/`, with a fragment. */
  open(path: string, how?: OpenOptions): Promise<StudioPage>;
  /** A page with these files, the first of them in front, when all that is said of it is there. */
  openFiles(files: Readonly<Record<string, string>>, how?: FilesOptions): Promise<StudioPage>;
  /** Bytes, compressed, that have been sent since the last page was opened. */
  sent(): { readonly path: string; readonly bytes: number }[];
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly language?: string;
}

interface FilesOptions extends OpenOptions {
  readonly isolated?: boolean;
}

/**
 * Tests of the studio, which is built and served while they run; after each of them its pages are closed. Left out where
 * there is no Chromium.
 */
export function describeStudio(name: string, tests: (studio: Omit<Studio, "closePages" | "close">) => void): void {
  describe.runIf(existsSync(CHROMIUM))(name, () => {
    let opened: Studio | null = null;
    const studio = {} as Studio;
    beforeAll(async () => {
      opened = await openStudio();
      Object.assign(studio, opened);
    }, LONG);
    afterEach(() => opened?.closePages());
    afterAll(() => opened?.close());
    tests(studio);
  });
}

async function openStudio(): Promise<Studio> {
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
  const open: Studio["open"] = (path, how = {}) => {
    sent.length = 0;
    return openPage(browser, `http://127.0.0.1:${port}${path}`, how);
  };
  return {
    folder,
    sent: () => [...sent],
    open,
    async openFiles(files, { isolated = false, ...how } = {}) {
      const opened = await open(`${isolated ? "/isolated/" : "/"}${fragmentOf(files)}`, how);
      await ready(opened.page);
      return opened;
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
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
export function fragmentOf(files: Readonly<Record<string, string>>): string {
  return packed(JSON.stringify({ files: Object.entries(files), active: Object.keys(files)[0] }));
}

/** A fragment that holds anything at all. */
export function packed(content: string | Uint8Array): string {
  return `#s=${deflateRawSync(content).toString("base64url")}`;
}

const examples = join(root, "examples");

/** The names of the examples. */
export const EXAMPLES: readonly string[] = readdirSync(examples)
  .filter((name) => name.endsWith(".launch.json"))
  .map((name) => name.replace(".launch.json", ""));

/** The files of an example, its shader first. */
export function exampleFragment(name: string): string {
  const textOf = (file: string) => readFileSync(join(examples, file), "utf8");
  const launch = textOf(`${name}.launch.json`);
  const shaders = [...new Set([...launch.matchAll(/"shader":\s*"([^"]+)"/g)].map((match) => match[1]))];
  const texts = shaders.map((shader) => [shader, textOf(shader)]);
  return fragmentOf(Object.fromEntries([...texts, [`${name}.launch.json`, launch]]));
}

/** Its only line with an access is the fourth. */
export const RACE = `@group(0) @binding(0) var<storage, read_write> total: u32;
@compute @workgroup_size(64)
fn main() {
  total += 1u;
}
`;
export const DOUBLE = `@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }`;
/** No dispatch lasts until the watchdog ends it, however busy the machine is; all together last for days. */
export const LASTING = {
  "a.wgsl": `@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@compute @workgroup_size(1) fn main() { for (var i = 0u; i < 10000000u && atomicLoad(&flag) == 0u; i++) {} }`,
  "a.launch.json": JSON.stringify({
    shader: "a.wgsl",
    steps: [{ entry: "main", workgroups: 1, repeat: 1_000_000 }],
  }),
};

export const PANELS = ["Contract", "Launch", "Result", "Findings", "Contention"] as const;

export async function showPanel(page: Page, name: (typeof PANELS)[number]): Promise<void> {
  await page.locator("#panel-pane").getByRole("tab", { name }).click();
}

export const toolbar = (page: Page) => page.getByRole("toolbar");

type TaskName = "Run" | "Find races" | "Profile";

/** It is there while nothing runs. */
export const taskButton = (page: Page, name: TaskName) => toolbar(page).getByRole("button", { name, exact: true });

/** Waits until nothing runs and what came of it is shown: a panel's code is loaded when it is first shown. */
export async function pressAndWait(page: Page, name: TaskName): Promise<void> {
  await taskButton(page, name).click();
  await taskButton(page, name).waitFor({ timeout: 60_000 });
  await page.locator("#panel-body > *").first().waitFor({ state: "attached", timeout: 60_000 });
}

/** What the browser downloads when something is pressed. */
export async function savedBytes(page: Page, press: () => Promise<unknown>): Promise<Uint8Array> {
  const downloading = page.waitForEvent("download");
  await press();
  return new Uint8Array(readFileSync(await (await downloading).path()));
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

/** Waits until the first diagnostics are there, and the keys, completion and history that are loaded after them. */
export async function ready(page: Page): Promise<void> {
  await page.locator("[data-ready]").waitFor();
  await page.locator(".cm-content[aria-autocomplete]").waitFor();
}
