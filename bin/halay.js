#!/usr/bin/env node
// Committed as it is, so that its mode survives every build; the program is src/cli/main.ts.
import { main } from "../dist/cli/main.js";

process.exitCode = await main(process.argv.slice(2));
