/** Diagnostics as the plain data of `--format json`. */
import type { Position, Span } from "../text/source.ts";
import type { DiagnosticCode } from "./catalogue.ts";
import type { MessageArgs, PlacedDiagnostic, Severity } from "./diagnostic.ts";

/** Lines and columns from 1, offsets in UTF-16 units from 0; `end` is exclusive. */
export interface JsonPlace {
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
}

export interface JsonDiagnostic extends JsonPlace {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly args: MessageArgs;
  readonly spec: string | null;
  readonly notes: readonly ({ readonly message: string } & JsonPlace)[];
  readonly fixes: readonly {
    readonly title: string;
    readonly edits: readonly (JsonPlace & { readonly text: string })[];
  }[];
  /** The same as long as the code, the text of the line and the name of the file stay, wherever the line moves. */
  readonly fingerprint: string;
}

/** The diagnostics of one input; equal ones on equal lines are told apart by their number. */
export function diagnosticsToJson(found: readonly PlacedDiagnostic[]): readonly JsonDiagnostic[] {
  const seen = new Map<string, number>();
  return found.map((item) => {
    const identity = identityOf(item);
    const ordinal = seen.get(identity) ?? 0;
    seen.set(identity, ordinal + 1);
    return toJson(item, fingerprint(`${identity}\n${ordinal}`));
  });
}

function toJson(diagnostic: PlacedDiagnostic, fingerprint: string): JsonDiagnostic {
  const { source } = diagnostic;
  const place = ({ start, end }: Span): JsonPlace => ({
    path: source.path,
    start: source.position(start),
    end: source.position(end),
  });
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    args: diagnostic.args,
    ...place(diagnostic.span),
    spec: diagnostic.spec,
    notes: diagnostic.notes.map(({ message, span }) => ({ message, ...place(span) })),
    fixes: diagnostic.fixes.map(({ title, edits }) => ({
      title,
      edits: edits.map(({ span, text }) => ({ ...place(span), text })),
    })),
    fingerprint,
  };
}

function identityOf({ code, span, source }: PlacedDiagnostic): string {
  const name = source.path.replace(/^.*[\\/]/, "");
  const line = source.line(source.position(span.start).line);
  // The end of a very long line adds nothing that its beginning does not tell.
  return `${code}\n${name}\n${line.trim().slice(0, 1000)}`;
}

/** 64 bits of FNV-1a over the UTF-16 units, as 16 hexadecimal digits. */
function fingerprint(text: string): string {
  const prime = 0x100000001b3n;
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * prime);
  }
  return hash.toString(16).padStart(16, "0");
}
