/** What the README shows is what comes out. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, reflect, run } from "../../src/index.ts";
import { read, root } from "../house/tree.ts";
import { folder, halayIn } from "./cli.ts";

const blocks = [...read("README.md").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language,
  text,
}));
const [shader = "", racing = ""] = blocks.filter(({ language }) => language === "wgsl").map(({ text }) => text);
const launch = blocks.find(({ language }) => language === "json")?.text ?? "";
const sessions = blocks.filter(({ text }) => text.startsWith("$ npx halay "));

/** As a pattern: `…` stands for lines left out, a time for any time. */
function pattern(shown: string): RegExp {
  const escaped = shown.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const loose = escaped.replaceAll(/^ *…\n/gm, "(?:.*\n)*?").replaceAll(/ +\d[\d\\.]* m?s$/gm, " +\\d[\\d.]* m?s");
  return new RegExp(`^${loose}\n?$`);
}

function args(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

test.each(sessions.map(({ text }) => text.split("\n", 1)[0]))("%s", async (first) => {
  const shown = sessions.find(({ text }) => text.startsWith(`${first}\n`))?.text.slice(first.length + 1) ?? "";
  // The first session is about the mistake in the shader, the others about the shader without it.
  const wrong = first.includes(" check ");
  const text = wrong ? shader : shader.replace("atomicAdd(tally", "atomicAdd(&tally");
  const path = folder({ "tally.wgsl": text, "tally.launch.json": launch, "total.wgsl": racing });
  const words = args(first.slice("$ npx halay ".length));
  const isFramed = wrong || first.includes(" sanitize ");
  const { out } = await halayIn(path, isFramed ? [...words, "--format", "pretty"] : words, { columns: 100 });
  expect(out).toMatch(pattern(shown));
});

test("the first line", async () => {
  const shown = blocks.find(({ text }) => text.startsWith("examples/two-level-histogram.launch.json\n"))?.text ?? "";
  const [command] = blocks[0].text.split("\n");
  const words = command.slice(command.indexOf("halay ") + "halay ".length).split(" ");
  const { code, out } = await halayIn(join(root), words, { columns: 100 });
  expect(code).toBe(0);
  expect(out).toMatch(pattern(shown));
});

test("from code", async () => {
  const source = shader.replace("atomicAdd(tally", "atomicAdd(&tally");
  const { ok, program } = check(source);
  expect(ok).toBe(true);
  expect(program && reflect(program).bindings.map(({ name }) => name)).toEqual(["input", "tally"]);
  const buffers = { input: new Float32Array([1, 0, 1, 0]) };
  const result = await run({ shader: source, workgroups: [1], buffers });
  expect(result.buffers.tally.values).toEqual({ hits: 2, best: [0, 0, 0], time: 0 });
});
