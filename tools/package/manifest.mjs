// What package.json promises to users.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The specifiers of all JavaScript modules in `exports`; data files and patterns are left out. */
export function modulesOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries(manifest.exports)
    .filter(([subpath, target]) => !subpath.includes("*") && /\.js$/.test(defaultTarget(target)))
    .map(([subpath]) => manifest.name + subpath.slice(1));
}

function defaultTarget(target) {
  return typeof target === "string" ? target : defaultTarget(target.node ?? target.default);
}
