/** What runs the compiled sources, as users do. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../house/tree.ts";

/** Brings `dist` up to date with the sources. */
export function compileSources(): void {
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"], {
      cwd: root,
      stdio: "ignore",
    });
  } catch {
    // Errors in types are for the compiler's own run to tell; the code is written all the same.
  }
}
