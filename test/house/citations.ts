/** Finds the places where a source cites a section of the specification. */
import { lineAt } from "./tree.ts";

export interface Citation {
  readonly path: string;
  readonly line: number;
  readonly document: "wgsl" | "webgpu";
  readonly anchor: string;
}

/** `spec: #a, #b and #c`, to the end of the line. */
const commentPattern = /\b(spec|webgpu): (#[\w-]+(?:(?:,? and |, | or |; )#[\w-]+)*)/g;
/** `spec: "#a"` and `anchor: "a"`, as fields. */
const fieldPattern = /\b(?:spec|anchor): "(webgpu)?#?([\w-]+)"/g;
/** `"#a"` on its own. */
const literalPattern = /"(webgpu)?#([\w-]+)"/g;

const tableFolders = ["src/builtins/", "src/diagnostics/"];

export function citations(path: string, text: string): Citation[] {
  const found = new Map<string, Citation>();
  const add = (offset: number, webgpu: boolean, anchor: string) => {
    const citation: Citation = { path, line: lineAt(text, offset), document: webgpu ? "webgpu" : "wgsl", anchor };
    found.set(`${citation.line}:${citation.document}:${anchor}`, citation);
  };
  for (const match of text.matchAll(commentPattern))
    for (const [, anchor] of match[2].matchAll(/#([\w-]+)/g)) add(match.index, match[1] === "webgpu", anchor);
  for (const match of text.matchAll(fieldPattern)) add(match.index, match[1] === "webgpu", match[2]);
  const isTable = tableFolders.some((folder) => path.startsWith(folder)) && !path.endsWith(".test.ts");
  if (isTable) for (const match of text.matchAll(literalPattern)) add(match.index, match[1] === "webgpu", match[2]);
  return [...found.values()];
}
