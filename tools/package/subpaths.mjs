// node tools/package/subpaths.mjs FOLDER
// Prints each module that the `exports` of the package in FOLDER offer, one a line, as a user imports it.

import { modulesOf } from "./manifest.mjs";

for (const subpath of modulesOf(process.argv[2])) console.log(subpath);
