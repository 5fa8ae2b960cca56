/** Loaded where messages are not wanted in English. */
export { translated, translatedNote } from "halay";
