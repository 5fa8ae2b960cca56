import type { CataloguePart } from "./entry.ts";

/** What resolving, type checking, const-evaluation, validation and uniformity say. */
export const ANALYSIS = {
  "unresolved-identifier": { severity: "error", text: "‘{name}’ is not declared", spec: "#resolves" },
} as const satisfies CataloguePart;
