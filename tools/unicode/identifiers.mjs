// Writes src/syntax/identifiers.gen.ts: the characters of identifiers in the version of Unicode that WGSL names.
//
//   npm install --no-save @unicode/unicode-14.0.0 && node tools/unicode/identifiers.mjs
//
// The package holds the Unicode Character Database as code points by property; it is large, and needed only for this.
import { writeFileSync } from "node:fs";

const VERSION = "14.0.0";
const PROPERTIES = ["XID_Start", "XID_Continue"];

/** Gaps and lengths in turn, in base 36: `1t p` says that from 65 on 26 code points follow. */
function runs(codePoints) {
  const numbers = [];
  let end = 0;
  for (let at = 0; at < codePoints.length; ) {
    const start = codePoints[at];
    let length = 1;
    while (codePoints[at + length] === start + length) length++;
    numbers.push(start - end, length);
    end = start + length;
    at += length;
  }
  return numbers.map((number) => number.toString(36)).join(" ");
}

const constants = [];
for (const property of PROPERTIES) {
  const path = `@unicode/unicode-${VERSION}/Binary_Property/${property}/code-points.mjs`;
  const { default: codePoints } = await import(path);
  constants.push(`export const ${property.toUpperCase()} =\n  "${runs(codePoints)}";\n`);
}
writeFileSync(
  new URL("../../src/syntax/identifiers.gen.ts", import.meta.url),
  `// Generated from Unicode ${VERSION}. Do not edit: run \`node tools/unicode/identifiers.mjs\`.
// Unicode Character Database, © Unicode, Inc.: https://www.unicode.org/license.txt

${constants.join("\n")}`,
);
