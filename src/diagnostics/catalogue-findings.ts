import type { CataloguePart } from "./entry.ts";

/** What execution finds: the finding codes of the contract. */
export const FINDINGS = {
  "layout-mismatch": {
    severity: "error",
    text: "the host takes {what} of ‘{name}’ to be {host}, the shader has {shader}",
    spec: "#memory-layouts",
  },
  "barrier-divergence": {
    severity: "error",
    text: "not all invocations of workgroup ({workgroup}) arrive at the same barrier: {arrived} of {size} wait here",
    spec: "#uniformity",
  },
  timeout: {
    severity: "error",
    text: "the dispatch of ‘{entry}’ did not end within its budget of {budget}; {count} invocations had not ended",
    spec: null,
  },
} as const satisfies CataloguePart;
