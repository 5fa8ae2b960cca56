/** Loaded where messages are not wanted in English. */
export { translated } from "halay";
