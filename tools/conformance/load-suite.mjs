// Module hooks that let Node import the TypeScript sources of the conformance suite as they are: `./x.js` is `./x.ts`,
// and types are taken away as it is read. The sources stay where they are, nothing is written.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

export async function resolve(specifier, context, nextResolve) {
  if (/^\.|^file:/.test(specifier) && specifier.endsWith(".js")) {
    const written = new URL(specifier, context.parentURL);
    const source = new URL(written.href.replace(/\.js$/, ".ts"));
    const url = existsSync(fileURLToPath(source)) ? source : written;
    if (context.parentURL?.endsWith(".ts")) return { url: url.href, format: "module", shortCircuit: true };
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const { code } = await transformWithOxc(await readFile(path, "utf8"), path, { sourcemap: false, tsconfig: false });
  return { format: "module", source: code, shortCircuit: true };
}
