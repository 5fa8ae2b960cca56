/** From what the editor services give to what the protocol takes. */
import type {
  CodeAction,
  CompletionItem,
  CompletionItemKind,
  Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  InlayHintKind,
  SignatureHelp,
  SymbolKind,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import type * as diagnostics from "../diagnostics/diagnostic.ts";
import { specAddress } from "../diagnostics/print.ts";
import type * as ide from "../ide/types.ts";
import type { Edit } from "../text/edit.ts";
import type { OpenDocument } from "./document.ts";
import type { Places } from "./text.ts";

const SEVERITIES: Readonly<Record<diagnostics.Severity, DiagnosticSeverity>> = { error: 1, warning: 2, info: 3 };
const UNNECESSARY: DiagnosticTag = 1;

export function toDiagnostic({ uri, places }: OpenDocument, found: diagnostics.Diagnostic): Diagnostic {
  const { code, severity, message, span, notes, spec } = found;
  return {
    range: places.range(span),
    severity: SEVERITIES[severity],
    code,
    source: "halay",
    message,
    ...(spec === null ? {} : { codeDescription: { href: specAddress(spec) } }),
    ...(/^(?:unused|unreachable)-/.test(code) ? { tags: [UNNECESSARY] } : {}),
    relatedInformation: notes.map((note) => ({
      location: { uri, range: places.range(note.span) },
      message: note.message,
    })),
  };
}

export function toEdits(places: Places, edits: readonly Edit[]): TextEdit[] {
  return edits.map(({ span, text }) => ({ range: places.range(span), newText: text }));
}

export function toWorkspaceEdit({ uri, places }: OpenDocument, edits: readonly Edit[]): WorkspaceEdit {
  return { changes: { [uri]: toEdits(places, edits) } };
}

/** `known`: what the client says of the diagnostics that it shows; an action names those that it mends. */
export function toCodeAction(
  document: OpenDocument,
  { title, edits, diagnostic }: ide.CodeAction,
  known: readonly Diagnostic[],
): CodeAction {
  const { start } = document.places.range(diagnostic.span);
  const mended = known.filter(({ code, range }) => {
    return code === diagnostic.code && range.start.line === start.line && range.start.character === start.character;
  });
  return { title, kind: "quickfix", diagnostics: mended, edit: toWorkspaceEdit(document, edits) };
}

export function toHover(places: Places, hover: ide.Hover): Hover {
  return { contents: { kind: "markdown", value: hover.markdown }, range: places.range(hover) };
}

// ---------------------------------------------------------------- completion

const COMPLETION_KINDS: Readonly<Record<ide.CompletionKind, CompletionItemKind>> = {
  keyword: 14,
  attribute: 10,
  type: 22,
  "builtin-function": 3,
  function: 3,
  variable: 6,
  parameter: 6,
  constant: 21,
  member: 5,
  swizzle: 5,
  enumerant: 20,
  extension: 9,
  "builtin-value": 21,
  severity: 20,
  rule: 20,
};

const SNIPPET = 2;

/** `snippets`: the client can put the cursor between the parentheses. */
export function toCompletionItem(
  places: Places,
  { replace }: ide.Completions,
  item: ide.Completion,
  snippets: boolean,
): CompletionItem {
  const { label, kind, detail, overloads, isCall, documentation, rank } = item;
  const newText = isCall && snippets ? `${label}($0)` : label;
  return {
    label,
    kind: COMPLETION_KINDS[kind],
    detail: overloads === 0 ? detail : `${detail} (+${overloads})`,
    ...(documentation === null ? {} : { documentation: { kind: "markdown", value: documentation } }),
    sortText: `${rank} ${label}`,
    textEdit: { range: places.range(replace), newText },
    ...(newText === label ? {} : { insertTextFormat: SNIPPET }),
  };
}

export function toSignatureHelp(help: ide.SignatureHelp): SignatureHelp {
  return {
    signatures: help.signatures.map(({ label, parameters, documentation }) => ({
      label,
      parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
      ...(documentation === null ? {} : { documentation: { kind: "markdown", value: documentation } }),
    })),
    activeSignature: help.activeSignature,
    activeParameter: help.activeParameter,
  };
}

// ---------------------------------------------------------------- the text as a whole

const SYMBOL_KINDS: Readonly<Record<ide.SymbolKind, SymbolKind>> = {
  function: 12,
  "entry-point": 12,
  variable: 13,
  constant: 14,
  override: 14,
  struct: 23,
  member: 8,
  alias: 26,
};

export function toDocumentSymbol(places: Places, symbol: ide.DocumentSymbol): DocumentSymbol {
  return {
    name: symbol.name,
    kind: SYMBOL_KINDS[symbol.kind],
    detail: symbol.detail,
    range: places.range(symbol.span),
    selectionRange: places.range(symbol.nameSpan),
    children: symbol.children.map((child) => toDocumentSymbol(places, child)),
  };
}

const FOLDING_KINDS: Readonly<Record<ide.FoldingRange["kind"], string | null>> = {
  block: null,
  comment: "comment",
  directives: "imports",
};

/** Whole lines; the line of the closing brace stays to be seen. */
export function toFoldingRange(places: Places, { start, end, kind }: ide.FoldingRange): FoldingRange {
  const from = places.position(start).line;
  const to = places.position(end).line;
  const name = FOLDING_KINDS[kind];
  return {
    startLine: from,
    endLine: kind === "block" ? Math.max(from, to - 1) : to,
    ...(name === null ? {} : { kind: name }),
  };
}

const TYPE_HINT: InlayHintKind = 1;
const PARAMETER_HINT: InlayHintKind = 2;

export function toInlayHint(places: Places, { offset, kind, text }: ide.InlayHint): InlayHint {
  const isType = kind === "type";
  return {
    position: places.position(offset),
    label: text,
    kind: isType ? TYPE_HINT : PARAMETER_HINT,
    ...(isType ? {} : { paddingRight: true }),
  };
}
