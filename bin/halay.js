#!/usr/bin/env node
// Committed as it is, so that its mode survives every build; the program is src/cli/main.ts.
import "../dist/cli/main.js";
