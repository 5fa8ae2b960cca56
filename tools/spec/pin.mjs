#!/usr/bin/env node
// node tools/spec/pin.mjs DIR [--check]
//
// DIR is a checkout of gpuweb/gpuweb. Writes what our tables and citations are compared with: names, anchors and type
// expressions, and the hash of the text they come from. None of the spec's prose is taken.
//   test/spec/spec.gen.json      anchors and lists of names
//   test/spec/builtins.gen.json  overloads of built-in functions, operators, conversions
// With --check nothing is written; the exit status says whether the committed files are what DIR gives.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { anchors, expandMacros } from "./bikeshed.mjs";
import { builtinFunctions, compoundAssignments, conversions, operators, resultStructures } from "./builtins.mjs";
import { languageNames } from "./names.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

function main(args) {
  const check = args.includes("--check");
  const folder = args.find((argument) => !argument.startsWith("--"));
  if (!folder) {
    console.error("usage: node tools/spec/pin.mjs DIR [--check]   (DIR: a checkout of gpuweb/gpuweb)");
    return 2;
  }
  const files = pin(folder);
  const stale = Object.entries(files).filter(([path, text]) => check && committed(path) !== text);
  if (stale.length > 0) {
    console.error(`differs from the pinned spec: ${stale.map(([path]) => path).join(", ")}`);
    return 1;
  }
  if (check) return 0;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
  return 0;
}

function committed(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}

function pin(folder) {
  const wgsl = join(folder, "wgsl");
  const text = readFileSync(join(wgsl, "index.bs"), "utf8");
  const webgpu = readFileSync(join(folder, "spec", "index.bs"), "utf8");
  const source = expandMacros(text);
  const origin = { file: "gpuweb/gpuweb/wgsl/index.bs", sha256: sha256(text) };
  const spec = {
    source: origin,
    anchors: anchors(withIncludes(source, wgsl)),
    ...languageNames(source, wgsl),
    webgpu: { file: "gpuweb/gpuweb/spec/index.bs", sha256: sha256(webgpu), anchors: anchors(webgpu) },
  };
  const builtins = {
    source: origin,
    functions: builtinFunctions(source),
    resultStructures: resultStructures(source),
    operators: operators(source),
    compoundAssignments: compoundAssignments(source),
    conversions: conversions(source),
  };
  return { "test/spec/spec.gen.json": lines(spec), "test/spec/builtins.gen.json": lines(builtins) };
}

/** The productions are defined in files of their own. */
function withIncludes(source, folder) {
  const files = readdirSync(join(folder, "syntax")).sort();
  return [source, ...files.map((file) => readFileSync(join(folder, "syntax", file), "utf8"))].join("\n");
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** JSON with one entry of a list per line, so that a newer spec shows as a small diff. */
function lines(value) {
  const entries = Object.entries(value).map(([key, entry]) => {
    if (Array.isArray(entry))
      return `  ${JSON.stringify(key)}: [\n${entry.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
    if (entry.anchors) return `  ${JSON.stringify(key)}: ${lines(entry).trim().replaceAll("\n", "\n  ")}`;
    return `  ${JSON.stringify(key)}: ${JSON.stringify(entry)}`;
  });
  return `{\n${entries.join(",\n")}\n}\n`;
}

process.exitCode = main(process.argv.slice(2));
