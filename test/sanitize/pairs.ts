/**
 * Programs with a fault, each with a twin that is right: `pairs/*.txt`. A pair begins with `=== ` and its name; then come
 * lines `code: ` (of the finding), `launch: ` (JSON; `launch-: ` for the wrong one, `launch+: ` for the right one),
 * `checks: `, `options: ` and `source: ` (where such a fault was reported), as far as needed; then the text. Lines that begin with `-` belong
 * to the wrong one only, with `+` to the right one only.
 *
 * In the wrong one a line that ends in `//! variable, …` is where findings stand, each with what it is about, and with its
 * code in front where that is another one; `-` stands for no variable. There must be no others. The right one has none.
 */
import type { Launch } from "../../src/launch/launch.ts";
import type { Check } from "../../src/sanitize/finding.ts";
import type { SanitizeOptions } from "../../src/sanitize/sanitize.ts";
import { listFiles, read } from "../house/tree.ts";

export interface Pair {
  readonly file: string;
  readonly name: string;
  readonly code: string;
  readonly wrong: Program;
  readonly right: Program;
}

export interface Program {
  readonly text: string;
  readonly launch: Launch;
  readonly options: SanitizeOptions;
  readonly expected: readonly Expected[];
}

export interface Expected {
  readonly code: string;
  readonly line: number;
  /** Path without indices. */
  readonly variable: string;
}

export function readPairs(): readonly Pair[] {
  return listFiles("test/sanitize/pairs", ".txt").flatMap((path) => {
    const file = path.slice(path.lastIndexOf("/") + 1, -".txt".length);
    return read(path)
      .split(/^=== /m)
      .slice(1)
      .map((part) => parsePair(file, part));
  });
}

const HEAD = /^(code|launch[-+]?|checks|options|source): (.*)$/;

function parsePair(file: string, part: string): Pair {
  const [name, ...lines] = part.trimEnd().split("\n");
  const head = new Map<string, string>();
  let first = 0;
  for (let match = HEAD.exec(lines[first]); match !== null; match = HEAD.exec(lines[++first])) {
    head.set(match[1], match[2]);
  }
  const program = (own: "-" | "+"): Program => {
    const other = own === "-" ? "+" : "-";
    const kept = lines.slice(first).filter((line) => !line.startsWith(other));
    const text = kept.map((line) => (line.startsWith(own) ? line.slice(1) : line));
    return {
      text: text.join("\n"),
      launch: launchOf(head, own),
      options: optionsOf(head),
      expected: own === "+" ? [] : text.flatMap((line, i) => expectedAt(line, i + 1, head.get("code")!)),
    };
  };
  return { file, name, code: head.get("code")!, wrong: program("-"), right: program("+") };
}

function launchOf(head: ReadonlyMap<string, string>, own: "-" | "+"): Launch {
  const stated = [head.get("launch") ?? "{}", head.get(`launch${own}`) ?? "{}"].map(
    (text) => JSON.parse(text) as Launch,
  );
  const launch = Object.assign({}, ...stated) as Launch;
  return launch.steps === undefined ? { entry: "main", workgroups: [1], ...launch } : launch;
}

function optionsOf(head: ReadonlyMap<string, string>): SanitizeOptions {
  const checks = head.get("checks")?.split(", ") as Check[] | undefined;
  const options = JSON.parse(head.get("options") ?? "{}") as SanitizeOptions;
  return checks === undefined ? options : { ...options, checks };
}

function expectedAt(line: string, number: number, code: string): readonly Expected[] {
  const marks = / \/\/! (.*)$/.exec(line);
  if (marks === null) return [];
  return marks[1].split(", ").map((mark) => {
    const words = mark.split(" ");
    return { code: words.length > 1 ? words[0] : code, line: number, variable: words.at(-1)!.replace(/^-$/, "") };
  });
}
