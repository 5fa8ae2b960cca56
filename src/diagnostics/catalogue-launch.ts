import type { CataloguePart } from "./entry.ts";

/** What launch files, buffer contents and runs say. */
export const LAUNCH = {
  "launch-invalid": { severity: "error", text: "{problem}", spec: null },
} as const satisfies CataloguePart;
