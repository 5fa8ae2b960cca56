import type { CataloguePart } from "./entry.ts";

/** What lexer and parser say. */
export const SYNTAX = {
  "unexpected-token": { severity: "error", text: "expected {expected}, found {found}", spec: "#parsing" },
} as const satisfies CataloguePart;
