#!/usr/bin/env node
// Committed as it is, so that its mode survives every build; the program is src/cli/main.ts.
import * as nodeModule from "node:module";

// Where Node can (22.1 and later), what it compiled is kept for the next start.
nodeModule.enableCompileCache?.();
const { main } = await import("../dist/cli/main.js");

const code = await main(process.argv.slice(2));
// Where the output could not be written, it is 2 already.
process.exitCode ||= code;
