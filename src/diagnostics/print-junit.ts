/** JUnit's XML, which test reports of CI systems read: a suite for each input, a case for each message. */
import { isAtLeast, type PlacedDiagnostic, type Severity } from "./diagnostic.ts";
import { untoldFixes } from "./print.ts";
import { ENGLISH, type Words } from "./words.ts";

export interface JunitInput {
  readonly path: string;
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** It failed for a reason that no diagnostic states. */
  readonly failed: boolean;
}

/** `failOn`: least severity that counts as a failure; what is below it is a case that passed, with its text. */
export function printJunit(inputs: readonly JunitInput[], failOn: Severity, words: Words = ENGLISH): string {
  const suites = inputs.map((input) => suiteOf(input, failOn, words));
  const sum = (of: (suite: (typeof suites)[number]) => number) => suites.reduce((total, suite) => total + of(suite), 0);
  const head = `<testsuites name="halay" tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.map(({ text }) => text).join("")}</testsuites>\n`;
}

function suiteOf({ path, diagnostics, failed }: JunitInput, failOn: Severity, words: Words) {
  const cases = diagnostics.map((item) => caseOf(item, isAtLeast(item.severity, failOn), words));
  const shown = diagnostics.filter(({ severity }) => isAtLeast(severity, failOn)).length;
  const failures = failed && shown === 0 ? 1 : shown;
  // An input without a word about it is a test too.
  if (failed && shown === 0)
    cases.push(plainCase(path, `<failure message="${escapeXml(words.say("not-as-expected"))}"/>`));
  else if (diagnostics.length === 0) cases.push(plainCase(path, ""));
  const head = `  <testsuite name="${escapeXml(path)}" tests="${cases.length}" failures="${failures}">`;
  return { text: `${head}\n${cases.join("")}  </testsuite>\n`, tests: cases.length, failures };
}

function plainCase(path: string, inner: string): string {
  const head = `    <testcase classname="${escapeXml(path)}" name="${escapeXml(path)}"`;
  return inner === "" ? `${head}/>\n` : `${head}>${inner}</testcase>\n`;
}

function caseOf(item: PlacedDiagnostic, fails: boolean, words: Words): string {
  const { code, message, severity, source, span, notes } = item;
  const { line, column } = source.position(span.start);
  const place = `${source.path}:${line}:${column}`;
  const rows = [
    `${place}: ${severity} ${code} ${message}`,
    ...notes.map((note) => {
      const at = source.position(note.span.start);
      return `${source.path}:${at.line}:${at.column}: ${note.message}`;
    }),
    ...untoldFixes(item).map(({ title }) => `${place}: ${words.say("fix")}: ${title}`),
  ];
  const text = escapeXml(rows.join("\n"));
  const head = `    <testcase classname="${escapeXml(source.path)}" name="${escapeXml(`${code} (${line}:${column})`)}" file="${escapeXml(source.path)}" line="${line}">`;
  const inner = fails
    ? `<failure message="${escapeXml(message)}" type="${code}">${text}</failure>`
    : `<system-out>${text}</system-out>`;
  return `${head}\n      ${inner}\n    </testcase>\n`;
}

/** Characters that XML does not allow at all become the one that stands for such. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
