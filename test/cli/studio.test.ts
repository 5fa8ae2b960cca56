/** The server of `halay studio`: what it gives, to whom, and what it opens with. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StudioServer, serveStudio } from "../../src/cli/studio-server.ts";
import { studioSession } from "../../src/cli/studio-session.ts";

let folder: string;
let server: StudioServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "halay-served-"));
  mkdirSync(join(folder, "site", "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "site", "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "site", "assets", "a.js"), "1");
  server = await serveStudio(join(folder, "site"), '{"files":[]}', 0);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(path: string, options: { readonly host?: string; readonly method?: string } = {}) {
  const { port } = new URL(server.url);
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((resolve, reject) => {
    const { host = `127.0.0.1:${port}`, method = "GET" } = options;
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the server", () => {
  test("isolates the page, and lets no text become script", async () => {
    const { status, headers } = await ask("/");
    expect(status).toBe(200);
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cross-origin-embedder-policy"]).toBe("require-corp");
    const policy = headers["content-security-policy"]!;
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain("'unsafe-eval'");
  });

  test.each([
    ["/assets/a.js", 200],
    ["/session.json", 200],
    ["/../secret.txt", 404],
    ["/assets/../../secret.txt", 404],
    ["/%2e%2e/secret.txt", 404],
    ["/assets/", 404],
    ["//etc/passwd", 404],
  ])("%s: %d", async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  test("answers to no other name", async () => {
    const { port } = new URL(server.url);
    expect((await ask("/", { host: `localhost:${port}` })).status).toBe(200);
    expect((await ask("/", { host: "127.0.0.1" })).status).toBe(421);
    expect((await ask("/session.json", { host: `evil.example:${port}` })).text).toBe("");
    expect((await ask("/session.json", { host: `evil.example:${port}` })).status).toBe(421);
    expect((await ask("/", { host: `localhost:${port}.evil.example` })).status).toBe(421);
  });

  test("only gives", async () => {
    expect((await ask("/", { method: "POST" })).status).toBe(405);
    expect(await ask("/assets/a.js", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });

  test("takes another port where its own is not free", async () => {
    const { port } = new URL(server.url);
    const second = await serveStudio(join(folder, "site"), null, Number(port));
    expect(new URL(second.url).port).not.toBe(port);
    await second.close();
  });
});

describe("what it opens with", () => {
  test("a shader", () => {
    expect(studioSession({ kind: "shader", path: "x/a.wgsl", text: "fn f() {}" }, folder)).toEqual({
      files: [{ name: "a.wgsl", text: "fn f() {}" }],
      data: {},
      leftOut: [],
      active: "a.wgsl",
    });
  });

  test("a launch, its shader and the files of its buffers, as far as they are there", () => {
    writeFileSync(join(folder, "s.wgsl"), "// shader");
    writeFileSync(join(folder, "in.npy"), "bytes");
    const text = JSON.stringify({
      shader: "./s.wgsl",
      buffers: { a: "in.npy", b: { file: "gone.bin" }, c: "zeros:4" },
    });
    const session = studioSession({ kind: "launch", path: "a.launch.json", text }, folder);
    expect(session.files).toEqual([
      { name: "s.wgsl", text: "// shader" },
      { name: "a.launch.json", text },
    ]);
    expect(session.data).toEqual({ "in.npy": Buffer.from("bytes").toString("base64") });
    expect(session.active).toBe("s.wgsl");
  });

  test("data that are too many for one text are left out, the smaller ones are not", () => {
    writeFileSync(join(folder, "huge.bin"), "");
    truncateSync(join(folder, "huge.bin"), 600 * 2 ** 20);
    writeFileSync(join(folder, "small#1.bin"), "1234");
    const text = JSON.stringify({ shader: "none.wgsl", buffers: { a: "huge.bin", b: "small#1.bin" } });
    const { data, leftOut } = studioSession({ kind: "launch", path: "a.launch.json", text }, folder);
    expect(leftOut).toEqual(["huge.bin"]);
    expect(data).toEqual({ "small#1.bin": Buffer.from("1234").toString("base64") });
  });

  test("what is no name of a file, though it ends like one, is none", () => {
    const names = [`${"long".repeat(100)}.bin`, "zero\0.bin", "secret.txt/a.bin"];
    const text = JSON.stringify({ shader: "none.wgsl", buffers: { a: names } });
    const session = studioSession({ kind: "launch", path: "a.launch.json", text }, folder);
    expect(session).toMatchObject({ data: {}, leftOut: [], active: "a.launch.json" });
  });

  test("a launch that is no JSON is opened all the same", () => {
    const session = studioSession({ kind: "launch", path: "a.launch.json", text: "{" }, folder);
    expect(session.files).toEqual([{ name: "a.launch.json", text: "{" }]);
  });
});
