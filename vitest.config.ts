import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workerScripts } from "./test/support/worker-script.ts";

// Dawn runs on the CPU with the SwiftShader that chromium brings: the loader of shared libraries reads these when a
// process starts, so they have to be there before the test processes are.
const chromium = "/usr/lib/chromium";
if (existsSync(`${chromium}/vk_swiftshader_icd.json`)) {
  process.env.VK_DRIVER_FILES ??= `${chromium}/vk_swiftshader_icd.json`;
  process.env.LD_LIBRARY_PATH ??= chromium;
  process.env.XDG_RUNTIME_DIR ??= "/tmp";
}

export default defineConfig({
  plugins: [workerScripts()],
  // Applications import the package by its name.
  resolve: {
    alias: [{ find: /^halay$/, replacement: fileURLToPath(new URL("./src/index.ts", import.meta.url)) }],
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "apps/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
