/** The package in browsers. */
export * from "./api.ts";
export { profile, run, sanitize } from "./run-browser.ts";
