/**
 * Threads of Node cannot run TypeScript in every version that we support. Where the sources run as they are, in tests,
 * the worker script is made of them first: `./worker.js`, named in a source, means what is made of `./worker.ts`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";

const FOLDER = fileURLToPath(new URL("../../node_modules/.halay/", import.meta.url));

export function workerScripts(): Plugin {
  const made = new Map<string, Promise<string>>();
  return {
    name: "halay-worker-scripts",
    enforce: "pre",
    async transform(code, id) {
      if (!id.endsWith("/platform/node/threads.ts")) return null;
      const script = join(dirname(id), "worker.ts");
      if (!made.has(script)) made.set(script, bundled(script));
      const url = JSON.stringify(await made.get(script));
      const changed = code.replace(`new URL("./worker.js", import.meta.url)`, `new URL(${url})`);
      if (changed === code) throw new Error(`${id} names no worker script`);
      return { code: changed, map: null };
    },
  };
}

/** One file with all that it imports; its URL. */
async function bundled(script: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "node20",
      ssr: true,
      rollupOptions: { input: script, output: { format: "es" } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!("output" in output)) throw new Error("the worker script was not built");
  mkdirSync(FOLDER, { recursive: true });
  const { code } = output.output[0];
  // By its contents, since several runs of the tests may be under way.
  const file = join(FOLDER, `worker-${createHash("sha256").update(code).digest("hex").slice(0, 16)}.mjs`);
  if (!existsSync(file)) writeFileSync(file, code);
  return pathToFileURL(file).href;
}
