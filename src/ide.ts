/** Services for editors: `halay/ide`. */
export { type CheckResult, check } from "./check.ts";
export { codeActions, fixesOf } from "./ide/actions.ts";
export { completions } from "./ide/completions.ts";
export { highlight } from "./ide/highlight.ts";
export { inlayHints } from "./ide/hints.ts";
export { hover } from "./ide/hover.ts";
export { documentSymbols, foldingRanges } from "./ide/outline.ts";
export { definition, references } from "./ide/references.ts";
export { rename } from "./ide/rename.ts";
export { sharedMemory } from "./ide/shared-memory.ts";
export { signatureHelp } from "./ide/signature-help.ts";
export type * from "./ide/types.ts";
export { uniformity } from "./ide/uniformity.ts";
