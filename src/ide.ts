/** Services for editors: `halay/ide`. */
export { type CheckResult, check } from "./check.ts";
export { highlight } from "./ide/highlight.ts";
export { hover } from "./ide/hover.ts";
export { documentSymbols, foldingRanges } from "./ide/outline.ts";
export { definition, references } from "./ide/references.ts";
export { rename } from "./ide/rename.ts";
export type * from "./ide/types.ts";
