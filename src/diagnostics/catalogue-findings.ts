import type { CataloguePart } from "./entry.ts";

/** What execution finds: the finding codes of the contract. */
export const FINDINGS = {
  "layout-mismatch": {
    severity: "error",
    text: "the host takes {what} of ‘{name}’ to be {host}, the shader has {shader}",
    spec: "#memory-layouts",
  },
} as const satisfies CataloguePart;
