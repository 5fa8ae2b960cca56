// node tools/package/studio.mjs PROJECT
// Starts `halay studio` as it is installed in PROJECT, and fetches the page with all that it names.

import { spawn } from "node:child_process";
import { join } from "node:path";

const project = process.argv[2];
const entry = join(project, "node_modules", "halay", "bin", "halay.js");
const studio = spawn(process.execPath, [entry, "studio", "--no-open", "--port", "0"], { cwd: project });
const url = await new Promise((resolve, reject) => {
  let text = "";
  studio.stdout.on("data", (chunk) => {
    text += chunk;
    const found = /http:\S+/.exec(text);
    if (found !== null) resolve(found[0]);
  });
  studio.stderr.on("data", (chunk) => process.stderr.write(chunk));
  studio.on("exit", (code) => reject(new Error(`it ended with ${code} before it said where it is`)));
});
const page = await fetch(url);
const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => new URL(match[1], url));
const problems =
  page.headers.get("cross-origin-embedder-policy") === "require-corp" ? [] : ["the page is not isolated"];
for (const address of named) {
  const { ok, status } = await fetch(address);
  if (!ok) problems.push(`${address}: ${status}`);
}
studio.kill("SIGINT");
const code = await new Promise((resolve) => studio.on("exit", resolve));
if (code !== 0) problems.push(`Ctrl+C: exit code ${code}`);
console.log(`${named.length} files named by the page`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 || named.length === 0 ? 1 : 0;
