/** Reads TypeScript text for the house tests, with the parser that vite brings along: a comment or a message is not code. */
import { parseSync } from "vite";

export interface Import {
  readonly specifier: string;
  readonly offset: number;
  /** Erased when compiled. */
  readonly typeOnly: boolean;
  /** `import()`: loaded when the code comes there. */
  readonly isDynamic: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Module {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Identifiers that are not the name of a property, a member or a label. */
  readonly names: readonly { readonly name: string; readonly offset: number }[];
  /** Syntax that does not just erase: enums, namespaces with values, parameter properties, `import x = require()`. */
  readonly notErasable: readonly { readonly what: string; readonly offset: number }[];
  readonly comments: readonly { readonly text: string; readonly offset: number }[];
  readonly functions: readonly FunctionExtent[];
}

export interface FunctionExtent {
  readonly offset: number;
  readonly end: number;
  /** Its body is one `switch`, with at most a few statements around it. */
  readonly flatSwitch: boolean;
}

const notErasableNodes: Readonly<Record<string, string>> = {
  TSEnumDeclaration: "an enum",
  TSParameterProperty: "a parameter property",
  TSModuleDeclaration: "a namespace",
  TSImportEqualsDeclaration: "an import assignment",
  TSExportAssignment: "an export assignment",
};

export function parseModule(path: string, text: string): Module {
  const parsed = parseSync(path, text, { lang: "ts" });
  const problem = parsed.errors[0];
  if (problem) throw new SyntaxError(`${path}: ${problem.message}`);
  const imports: Import[] = [];
  const names: { name: string; offset: number }[] = [];
  const notErasable: { what: string; offset: number }[] = [];
  const functions: FunctionExtent[] = [];
  walk(parsed.program as unknown as Node, null, "", (node, parent, field) => {
    const found = importOf(node);
    if (found) imports.push(found);
    if (node.type === "Identifier" && !isPropertyName(parent, field))
      names.push({ name: node.name as string, offset: node.start });
    const body = node.body as Node | null;
    if (/Function/.test(node.type) && body?.type === "BlockStatement")
      functions.push({ offset: node.start, end: node.end, flatSwitch: isFlatSwitch(body) });
    const what = notErasableNodes[node.type];
    if (what && node.declare !== true) notErasable.push({ what, offset: node.start });
  });
  const comments = parsed.comments.map((comment) => ({ text: comment.value, offset: comment.start }));
  return { path, text, imports, names, notErasable, comments, functions };
}

/** The statements of a loop count as the function's own: an interpreter is a switch in a loop. */
function isFlatSwitch(body: Node): boolean {
  const statements = (body.body as Node[]).flatMap(statementsOfLoop);
  const widest = statements.filter((statement) => statement.type === "SwitchStatement");
  return widest.length === 1 && widest[0].end - widest[0].start > 0.7 * (body.end - body.start);
}

function statementsOfLoop(statement: Node): Node[] {
  if (statement.type === "LabeledStatement") return statementsOfLoop(statement.body as Node);
  if (statement.type !== "WhileStatement") return [statement];
  const body = statement.body as Node;
  return body.type === "BlockStatement" ? (body.body as Node[]) : [body];
}

function importOf(node: Node): Import | null {
  const source = node.source as { type?: string; value?: unknown } | null | undefined;
  if (typeof source?.value !== "string") return null;
  const found = { specifier: source.value, offset: node.start, typeOnly: false, isDynamic: false };
  switch (node.type) {
    case "ImportDeclaration":
      return { ...found, typeOnly: node.importKind === "type" || everyType(node, "importKind") };
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return { ...found, typeOnly: node.exportKind === "type" };
    case "ImportExpression":
      return { ...found, isDynamic: true };
    case "TSImportType":
      return { ...found, typeOnly: true };
    default:
      return null;
  }
}

/** `import { type A, type B } from "…"`. */
function everyType(node: Node, kind: string): boolean {
  const specifiers = node.specifiers as Record<string, unknown>[];
  return specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === "type");
}

function isPropertyName(parent: Node | null, field: string): boolean {
  if (!parent) return false;
  if (field === "property") return parent.type === "MemberExpression" && parent.computed !== true;
  if (field === "right") return parent.type === "TSQualifiedName";
  if (field === "label") return true;
  if (field === "imported" || field === "exported") return true;
  return field === "key" && parent.computed !== true && parent.shorthand !== true;
}

function walk(
  node: Node,
  parent: Node | null,
  field: string,
  visit: (node: Node, parent: Node | null, field: string) => void,
): void {
  visit(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === "object" && typeof (child as Node).type === "string")
        walk(child as Node, node, name, visit);
    }
  }
}
