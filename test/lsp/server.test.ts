import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createProtocolConnection,
  type Diagnostic,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { SharedMemory } from "../../src/ide/types.ts";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";
import { Client, client, URI } from "./client.ts";

const SHADER = `struct S { pos: vec3f, n: u32 }
var<workgroup> tile: array<u32, 64>;
// twice
fn twice(a: f32) -> f32 {
  let b = a * 2;
  return b;
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = u32(twice(1));
  workgroupBarrier();
}
`;

function at(text: string, mark: string, into = 0): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(mark) + into).split("\n");
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const messages = (found: readonly Diagnostic[]): unknown[] => found.map(({ code, range }) => [code, range.start.line]);

test("diagnostics follow the text", async () => {
  const made = await client();
  expect(messages(await made.open(SHADER))).toEqual([]);
  const range = { start: at(SHADER, "a * 2"), end: at(SHADER, "a * 2", 5) };
  const [found] = await made.change([{ range, text: "c" }]);
  expect(found).toMatchObject({
    code: "unresolved-identifier",
    severity: 1,
    source: "halay",
    range: { start: { line: 4 } },
  });
  expect(found.codeDescription!.href).toBe("https://www.w3.org/TR/WGSL/#resolves");
  expect(messages(await made.change([{ text: "fn f() {}\r\nfn f() {}" }]))).toContainEqual([
    "duplicate-declaration",
    1,
  ]);
  const closed = made.diagnostics();
  await made.connection.sendNotification("textDocument/didClose", { textDocument: { uri: URI } });
  expect(await closed).toEqual([]);
});

test("notes lead to their places, and advice can be silenced", async () => {
  const text = "fn f() {}\nstruct f { a: i32 }";
  const [found] = (await (await client()).open(text)).filter(({ severity }) => severity === 1);
  expect(found.relatedInformation).toEqual([
    {
      location: { uri: URI, range: { start: { line: 0, character: 3 }, end: { line: 0, character: 4 } } },
      message: "‘f’ is declared here",
    },
  ]);
  const unused = "fn f() { var a = 1; }\n@compute @workgroup_size(1) fn m() { f(); }";
  expect(messages(await (await client()).open(unused))).toEqual([["unused-variable", 0]]);
  expect(messages(await (await client({ off: ["unused-variable"] })).open(unused))).toEqual([]);
  expect(messages(await (await client({ advice: false })).open(unused))).toEqual([]);
});

test("messages are in the language of the client", async () => {
  const made = await client({ language: "es" });
  const [found] = await made.open("fn f() { let a = b; }");
  expect(found.message).toBe("‘b’ no está declarado");
  const position = { line: 0, character: 3 };
  await expect(made.ask("rename", { position, newName: "while" })).rejects.toThrow(
    "‘while’ es una palabra clave de WGSL",
  );
});

test("settings can change later", async () => {
  const made = await client();
  const unused = "@compute @workgroup_size(1) fn f() { var a = 1; }";
  expect(messages(await made.open(unused))).toEqual([["unused-variable", 0]]);
  const published = made.diagnostics();
  const settings = { halay: { off: ["unused-variable"] } };
  await made.connection.sendNotification("workspace/didChangeConfiguration", { settings });
  expect(await published).toEqual([]);
});

test("a launch file is checked", async () => {
  const made = await client();
  const [found] = await made.open('{ "workgroups": "many" }', "file:///a.launch.json");
  expect(found).toMatchObject({ severity: 1, range: { start: { line: 0, character: 16 } } });
});

test("what stands at a place", async () => {
  const made = await client();
  await made.open(SHADER);
  const position = at(SHADER, "twice(1)", 2);
  const hover = await made.ask("hover", { position });
  expect(hover.contents.value).toBe("```wgsl\nfn twice(a: f32) -> f32\n```\n\ntwice");
  expect(hover.range).toEqual({ start: at(SHADER, "twice(1)"), end: at(SHADER, "twice(1)", 5) });
  expect(await made.ask("definition", { position })).toEqual({
    uri: URI,
    range: { start: at(SHADER, "twice(a"), end: at(SHADER, "twice(a", 5) },
  });
  const references = (includeDeclaration: boolean) =>
    made.ask("references", { position, context: { includeDeclaration } });
  expect(await references(true)).toHaveLength(2);
  expect(await references(false)).toHaveLength(1);
  expect(await made.ask("documentHighlight", { position })).toHaveLength(2);
});

test("renaming gives edits, or says why not", async () => {
  const made = await client();
  await made.open(SHADER);
  const position = at(SHADER, "twice(1)", 2);
  expect(await made.ask("prepareRename", { position })).toEqual({
    start: at(SHADER, "twice(1)"),
    end: at(SHADER, "twice(1)", 5),
  });
  expect(await made.ask("prepareRename", { position: at(SHADER, "vec3f", 1) })).toBeNull();
  const { changes } = await made.ask("rename", { position, newName: "double" });
  expect(changes[URI].map(({ newText }: { newText: string }) => newText)).toEqual(["double", "double"]);
  await expect(made.ask("rename", { position, newName: "tile" })).rejects.toThrow("‘tile’ is declared already");
});

test("the text as a whole", async () => {
  const made = await client();
  await made.open(SHADER);
  const symbols = await made.ask("documentSymbol");
  expect(symbols.map(({ name }: { name: string }) => name)).toEqual(["S", "tile", "twice", "main"]);
  expect(symbols[0].children).toHaveLength(2);
  expect(await made.ask("foldingRange")).toEqual([
    { startLine: 3, endLine: 5 },
    { startLine: 8, endLine: 10 },
  ]);
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await made.ask("inlayHint", { range });
  expect(hints.map(({ label }: { label: string }) => label)).toEqual(["offset 0", "offset 12", ": f32"]);
});

test("colours are relative to each other, comments line by line", async () => {
  const made = await client();
  await made.open("/* a\nb */ const N = 1;");
  const { data } = await made.ask("semanticTokens/full");
  const rows = Array.from({ length: data.length / 5 }, (_, row) => data.slice(row * 5, row * 5 + 3));
  expect(rows).toEqual([
    [0, 0, 4],
    [1, 0, 4],
    [0, 5, 5],
    [0, 6, 1],
    [0, 2, 1],
    [0, 2, 1],
  ]);
});

test("while somebody writes", async () => {
  const made = await client({}, true);
  await made.open(`${SHADER}fn f(s: S) { s. }`);
  const position = at(`${SHADER}fn f(s: S) { s. }`, "s. }", 2);
  const members = await made.ask("completion", { position });
  expect(members.map(({ label }: { label: string }) => label)).toEqual(["pos", "n"]);
  await made.change([{ text: "fn f() { let x = ma; }" }]);
  const values = await made.ask("completion", { position: { line: 0, character: 19 } });
  expect(values.find(({ label }: { label: string }) => label === "max")).toMatchObject({
    textEdit: { newText: "max($0)", range: { start: { line: 0, character: 17 }, end: { line: 0, character: 19 } } },
    insertTextFormat: 2,
  });
  await made.change([{ text: "fn f() { let x = max(1, ); }" }]);
  const help = await made.ask("signatureHelp", { position: { line: 0, character: 24 } });
  expect(help).toMatchObject({ activeParameter: 1, activeSignature: 0 });
  expect(help.signatures[0].parameters).toHaveLength(2);
});

test("quick fixes name what they mend", async () => {
  const made = await client();
  const diagnostics = await made.open("fn f() { return }\n");
  const [found] = diagnostics.filter(({ code }) => code === "missing-semicolon");
  const [action] = await made.ask("codeAction", { range: found.range, context: { diagnostics } });
  expect(action).toMatchObject({ kind: "quickfix", diagnostics: [{ code: "missing-semicolon" }] });
  expect(action.edit.changes[URI][0].newText).toBe(";");
});

test("shared memory and flow, by requests of our own", async () => {
  const made = await client();
  await made.open(SHADER);
  const { accesses } = await made.connection.sendRequest<SharedMemory>("halay/sharedMemory", { uri: URI });
  expect(accesses.map(({ kind, line }) => [kind, line])).toEqual([
    ["write", 10],
    ["wait", 11],
  ]);
  expect(await made.connection.sendRequest("halay/uniformity", { uri: URI })).toEqual([]);
});

test("what is not open has no answer", async () => {
  const made = await client();
  expect(await made.ask("hover", { position: { line: 0, character: 0 } })).toBeNull();
});

describe("the command", () => {
  beforeAll(compileSources, 120_000);
  const bin = join(root, "bin", "halay.js");

  test("the command speaks on its standard streams and ends when it is told to", async () => {
    const child = spawn(process.execPath, [bin, "lsp", "--stdio"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const made = new Client(connection);
    const { capabilities, serverInfo } = await made.initialize();
    expect(serverInfo.name).toBe("halay");
    expect(capabilities).toMatchObject({ hoverProvider: true, positionEncoding: "utf-16" });
    expect(messages(await made.open("fn f() { let x = ; }"))).toEqual([["unexpected-token", 0]]);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    expect(await ended).toBe(0);
  });

  test("it says what is missing", () => {
    const hook = `export function resolve(name, context, next) {
      if (!name.startsWith("vscode-languageserver")) return next(name, context);
      throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" });
    }`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", dataUrl(register), bin, "lsp"], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "error: the language server needs the package ‘vscode-languageserver’: npm install vscode-languageserver\n",
    );
  });
});

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
