/** The package in browsers. */
export * from "./api.ts";
export { run } from "./run-browser.ts";
