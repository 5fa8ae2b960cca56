/** The package in browsers. */
export * from "./api.ts";
export { run, sanitize } from "./run-browser.ts";
