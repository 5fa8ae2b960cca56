/** Loaded after the first answer. */
export { check } from "halay";
