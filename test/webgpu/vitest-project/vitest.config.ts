import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.case.ts"],
    // By its public name, as a project that has installed the package says it.
    setupFiles: [fileURLToPath(import.meta.resolve("halay/vitest/setup"))],
  },
});
