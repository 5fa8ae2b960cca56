// node tools/package/types.mjs PROJECT
// Compiles a module that imports everything the installed package in PROJECT offers, strictly, as a user would.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { modulesOf } from "./manifest.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const project = process.argv[2];
const modules = modulesOf(join(project, "node_modules", "halay"));
const lines = modules.map(
  (specifier, index) => `import * as m${index} from ${JSON.stringify(specifier)};\nvoid m${index};`,
);
writeFileSync(join(project, "uses.mts"), `${lines.join("\n")}\n`);
// TypeScript 7's own DOM library declares WebGPU as @webgpu/types does; whoever has both skips the checks of libraries.
const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext", "--types", ""];
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const result = spawnSync(process.execPath, [tsc, ...options, "uses.mts"], { cwd: project, encoding: "utf8" });
process.stdout.write(result.stdout + result.stderr);
process.exitCode = modules.length > 0 ? (result.status ?? 1) : 1;
