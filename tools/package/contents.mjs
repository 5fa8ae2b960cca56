// node tools/package/contents.mjs FOLDER
// Looks at the one tarball in FOLDER: what must be in it, what must not, and how large it may be.

import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const largest = 2 * 1024 * 1024;
const required = [
  "package.json",
  "README.md",
  "LICENSE",
  "dist/index.js",
  "dist/index.d.ts",
  "dist/cli/main.js",
  "dist-studio/index.html",
  "bin/halay.js",
];
const unwanted = /\.test\.|\.tsbuildinfo$|^(?:test|src|tools|examples|\.ci)\//;

const folder = process.argv[2];
const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "no tarball");
const listed = spawnSync("tar", ["-tzf", tarball], { encoding: "utf8" });
const files = listed.stdout
  .split("\n")
  .filter(Boolean)
  .map((path) => path.replace(/^package\//, ""));
const problems = [
  ...required.filter((path) => !files.includes(path)).map((path) => `missing: ${path}`),
  ...files.filter((path) => unwanted.test(path)).map((path) => `not for users: ${path}`),
  ...(statSync(tarball).size > largest ? [`larger than ${largest} bytes`] : []),
];
console.log(`${files.length} files, ${statSync(tarball).size} bytes packed`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
