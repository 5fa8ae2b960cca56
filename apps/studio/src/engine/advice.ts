/** Loaded after the first answer. */
export { check } from "halay";
export { fixesOf } from "halay/ide";
