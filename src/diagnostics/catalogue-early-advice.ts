import type { CataloguePart } from "./entry.ts";

/** What is told of options and of marks in the source, advised or not. */
export const EARLY_ADVICE = {
  // ---------------------------------------------------------------- portability
  "not-in-target": {
    severity: "error",
    text: "{browser} (as of {date}) does not accept this: {problem}",
    spec: "#extensions",
  },

  // ---------------------------------------------------------------- allowing
  "allowance-without-reason": {
    severity: "warning",
    text: "this allows nothing without a reason: write ‘// halay-allow-next-line {codes} -- why it is right here’",
    spec: null,
  },
  "allowance-without-code": { severity: "warning", text: "this names no code, and allows nothing", spec: null },
  "allowance-mark": { severity: "warning", text: "‘{mark}’ is no mark, and allows nothing", spec: null },
  "allowance-unknown": {
    severity: "warning",
    text: "there is no code ‘{code}’ that can be allowed",
    spec: null,
  },
} as const satisfies CataloguePart;
