/** Builds the studio into `dist-studio` of the package: static files that any host can serve, from any folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Target {
  readonly browser?: string;
  readonly default: string;
}

/** `halay` and its subpaths as a project that installed the package gets them: what is not exported cannot be used. */
function halay(): Plugin {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, Target | string>>;
  };
  return {
    name: "halay-subpaths",
    enforce: "pre",
    resolveId(specifier) {
      if (!/^halay(?:\/|$)/.test(specifier)) return null;
      const target = exports[`.${specifier.slice("halay".length)}`];
      if (target === undefined || typeof target === "string") throw new Error(`‘${specifier}’ is no public subpath`);
      return join(ROOT, target.browser ?? target.default);
    },
  };
}

/** What page and worker are built of before anything is asked for is one file of each, which compresses better than many. */
const FIRST_TOGETHER = { output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial" as const] }] } } };

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [halay()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es", plugins: () => [halay()], rolldownOptions: FIRST_TOGETHER },
  build: {
    outDir: join(ROOT, "dist-studio"),
    emptyOutDir: true,
    target: "es2022",
    // Examples are files of their own, fetched when they are opened.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: FIRST_TOGETHER,
  },
  server: {
    host: "127.0.0.1",
    headers: { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" },
  },
});
