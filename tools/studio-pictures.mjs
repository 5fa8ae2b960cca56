// node tools/studio-pictures.mjs
// Takes the pictures of docs/studio.md and the README anew, in Chromium, and writes them small: docs/pictures/*.png.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, deflateSync, inflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const pictures = join(root, "docs", "pictures");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

const example = (name) => readFileSync(join(root, "examples", name), "utf8");

function session(shader, launch = shader) {
  const files = [
    [`${shader}.wgsl`, example(`${shader}.wgsl`)],
    [`${launch}.launch.json`, example(`${launch}.launch.json`)],
  ];
  return `#s=${deflateRawSync(JSON.stringify({ files, active: files[0][0] })).toString("base64url")}`;
}

const RACE = `@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> tile: array<u32, 64>;

@compute @workgroup_size(64)
fn sum(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  tile[lane] = data[group.x * 64u + lane];
  workgroupBarrier();
  for (var step = 32u; step > 0u; step /= 2u) {
    if (lane < step) {
      tile[lane] += tile[lane + step];
    }
  }
  if (lane == 0u) {
    sums[group.x] = tile[0];
  }
}
`;
const racing = `#s=${deflateRawSync(JSON.stringify({ files: [["tree-sum.wgsl", RACE]], active: "tree-sum.wgsl" })).toString("base64url")}`;

const press = async (page, name) => {
  const button = page.getByRole("toolbar").getByRole("button", { name, exact: true });
  await button.click();
  await button.waitFor();
};
const panel = (page, name) => page.locator("#panel-pane").getByRole("tab", { name }).click();

/** Name, theme, size, what is opened, what is done. */
const shots = [
  ["studio-findings", "light", [1200, 720], racing, (page) => press(page, "Find races")],
  ["studio-contract", "dark", [1200, 720], session("layout-round-trip"), (page) => panel(page, "Contract")],
  [
    "studio-result",
    "light",
    [1200, 720],
    session("two-level-histogram"),
    async (page) => {
      await press(page, "Run");
      await page.getByRole("button", { name: "Line" }).click();
      await page.locator(".plot canvas").waitFor();
    },
  ],
  ["studio-contention", "dark", [1200, 640], session("histogram"), (page) => press(page, "Profile")],
  ["studio-narrow", "light", [380, 720], racing, (page) => press(page, "Find races")],
];

const folder = mkdtempSync(join(tmpdir(), "halay-pictures-"));
await build({ configFile: join(root, "apps/studio/vite.config.ts"), logLevel: "error", build: { outDir: folder } });
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
  response.writeHead(200, {
    "content-type": types[extname(path)] ?? "application/octet-stream",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  });
  response.end(readFileSync(join(folder, path)));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
mkdirSync(pictures, { recursive: true });
for (const [name, colorScheme, [width, height], fragment, act] of shots) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale: "en" });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${fragment}`);
  await page.locator("[data-ready]").waitFor();
  await act(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  const png = indexed(await page.screenshot());
  writeFileSync(join(pictures, `${name}.png`), png);
  console.log(`${name}.png ${png.length} bytes`);
  await context.close();
}
await browser.close();
server.close();

/** The same picture with at most 256 colours: pictures of an interface have few. */
function indexed(png) {
  const { width, height, pixels } = decode(png);
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += 3) {
    const colour = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const kept = palette.slice(0, 256);
  const indexOf = new Map(kept.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from += 3) {
      const colour = (pixels[from] << 16) | (pixels[from + 1] << 8) | pixels[from + 2];
      if (!indexOf.has(colour)) indexOf.set(colour, nearest(kept, colour));
      rows[y * (width + 1) + 1 + x] = indexOf.get(colour);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(kept.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function nearest(palette, colour) {
  const far = (other) =>
    ((colour >> 16) - (other >> 16)) ** 2 +
    (((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
    ((colour & 255) - (other & 255)) ** 2;
  let best = 0;
  for (let i = 1; i < palette.length; i++) if (far(palette[i]) < far(palette[best])) best = i;
  return best;
}

/** What Chromium writes: eight bits, no interlacing, with or without alpha. */
function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const lines = Buffer.alloc(stride * height);
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : lines[y * stride + i - channels];
      const up = y === 0 ? 0 : lines[(y - 1) * stride + i];
      const corner = i < channels || y === 0 ? 0 : lines[(y - 1) * stride + i - channels];
      lines[y * stride + i] = raw[y * (stride + 1) + 1 + i] + predicted(filter, left, up, corner);
    }
    for (let x = 0; x < width; x++) {
      lines.copy(pixels, (y * width + x) * 3, y * stride + x * channels, y * stride + x * channels + 3);
    }
  }
  return { width, height, pixels };
}

function predicted(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeInt32BE(crc(body), body.length + 4);
  return whole;
}

function crc(bytes) {
  let value = -1;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value;
}
