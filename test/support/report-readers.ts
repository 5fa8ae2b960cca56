/** Readers for reports, on schemas and parsers that others made. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as draft4 from "ajv-draft-04";
import * as formats from "ajv-formats";
import { fromMarkdown } from "mdast-util-from-markdown";
import { SaxesParser } from "saxes";

const require = createRequire(import.meta.url);

/** What the schema of SARIF 2.1.0 has against a log. */
export function sarifProblems(log: unknown): string[] {
  const validate = sarifSchema();
  if (validate(log)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

let made: ReturnType<InstanceType<typeof draft4.default.default>["compile"]> | null = null;

function sarifSchema() {
  if (made !== null) return made;
  const folder = dirname(require.resolve("@microsoft/jest-sarif"));
  const schema = JSON.parse(readFileSync(join(folder, "schemas/sarif-2.1.0-rtm.5.json"), "utf8"));
  const ajv = new draft4.default.default({ allErrors: true, strict: false, unicodeRegExp: false });
  formats.default.default(ajv as never);
  made = ajv.compile(schema);
  return made;
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** The elements of a document. @throws Error where it is not well-formed XML 1.0 */
export function xmlTree(xml: string): XmlElement[] {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes } as Record<string, string>, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    (open.at(-1) as XmlElement).text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return root.children;
}

export interface MarkdownNode {
  readonly type: string;
  /** Of the node and those in it. */
  readonly text: string;
  readonly children: readonly MarkdownNode[];
}

export function markdownTree(markdown: string): readonly MarkdownNode[] {
  return nodeOf(fromMarkdown(markdown)).children;
}

function nodeOf(node: { type: string; value?: string; children?: readonly unknown[] }): MarkdownNode {
  const children = (node.children ?? []).map((child) => nodeOf(child as Parameters<typeof nodeOf>[0]));
  return { type: node.type, text: (node.value ?? "") + children.map(({ text }) => text).join(""), children };
}

/** The workflow commands in an output, as the runner of GitHub Actions reads them. */
export function workflowCommands(output: string) {
  return output.split("\n").flatMap((line) => {
    const found = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line);
    if (found === null) return [];
    const [, command, list = "", message] = found;
    const pairs = list.split(",").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), unescaped(pair.slice(at + 1))];
    });
    return [{ command, properties: Object.fromEntries(pairs), message: unescaped(message) }];
  });
}

function unescaped(text: string): string {
  return text.replace(/%(0D|0A|3A|2C|25)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}
