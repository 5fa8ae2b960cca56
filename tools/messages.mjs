// What Tint and halay say of typical mistakes, side by side. With --write, docs/messages.md is written anew.
//
//   npm run build && node tools/messages.mjs [NUMBER…] [--write]
//
// The mistakes are test/messages/NN-NAME.wgsl; test/messages/verdicts.json says of each what Tint says, in our words, and
// who helps more.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { create, globals } from "webgpu";
import { check } from "../dist/index.js";
import { renderMessage, renderPage } from "./messages/render.mjs";

Object.assign(globalThis, globals);

const folder = new URL("../test/messages/", import.meta.url);
const verdicts = JSON.parse(readFileSync(new URL("verdicts.json", folder), "utf8"));
const wanted = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const names = readdirSync(folder).filter((name) => name.endsWith(".wgsl"));
const chosen = names.filter(
  (name) => wanted.length === 0 || wanted.some((number) => Number(number) === parseInt(name, 10)),
);

// Kept: a device whose GPU object was collected crashes the process.
const gpu = create(["backend=null"]);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice();

/** Tint's messages, as `line:column severity text`. */
async function tintOn(code) {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  await device.popErrorScope();
  return messages.map(({ lineNum, linePos, type, message }) => `${lineNum}:${linePos} ${type} ${message.trimEnd()}`);
}

const entries = [];
for (const file of chosen) {
  const code = readFileSync(new URL(file, folder), "utf8");
  const ours = check(code, { advice: false }).diagnostics.map((item) => renderMessage(item, code));
  entries.push({ file, code, ours, verdict: verdicts[file.slice(3, -".wgsl".length)] });
  console.log(`\n━━ ${file}\n${code}`);
  console.log(["Tint:", ...(await tintOn(code)), "halay:", ...ours].join("\n"));
}
if (process.argv.includes("--write")) {
  writeFileSync(new URL("../docs/messages.md", import.meta.url), renderPage(entries));
}
if (gpu !== null) process.exit(0);
