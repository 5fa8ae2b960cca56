// Medians, tables, and where the tables go.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Three digits or so. */
export function number(value) {
  if (!Number.isFinite(value)) return "–";
  if (value >= 1e6) return `${number(value / 1e6)} M`;
  if (value >= 1e4) return `${number(value / 1e3)} k`;
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const ratio = (value) => (Number.isFinite(value) ? `${number(value)} ×` : "–");

export function markdown(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/**
 * Milliseconds that each of `actions` takes: medians, the actions taking turns, so that what else the machine does befalls
 * all of them. null for one that throws. `actions[i]` gets the number of the round; the first rounds do not count.
 */
export async function takingTurns(actions, { rounds = 15, warmUp = 5 } = {}) {
  const times = actions.map(() => []);
  const errors = actions.map(() => null);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, action] of actions.entries()) {
      if (errors[i] !== null) continue;
      try {
        const start = performance.now();
        await action(round);
        if (round >= 0) times[i].push(performance.now() - start);
      } catch (error) {
        errors[i] = String(error?.message ?? error).split("\n")[0];
      }
    }
  }
  return times.map((list, i) => ({ milliseconds: errors[i] === null ? median(list) : null, error: errors[i] }));
}

/** Puts a table between its two marks in docs/benchmarks.md. */
export function writeTable(name, table) {
  const file = new URL("../docs/benchmarks.md", import.meta.url);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const model = cpus()[0]?.model.trim() ?? "unknown";
  const date = new Date().toISOString().slice(0, 10);
  const block = `${begin}\n\n${cpus().length} × ${model}, Node ${process.versions.node}, ${date}\n\n${table}\n\n${end}`;
  const text = existsSync(file) ? readFileSync(file, "utf8") : "# Benchmarks\n";
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  const before = from < 0 ? `${text.trimEnd()}\n\n` : text.slice(0, from);
  writeFileSync(file, from < 0 ? `${before}${block}\n` : before + block + text.slice(to + end.length));
}
