/** The result of a run as the JSON of the contract. */
import { diagnosticsToJson, type JsonDiagnostic } from "../diagnostics/print-json.ts";
import { typeName } from "../types/type.ts";
import { toBase64 } from "./contents.ts";
import type { RunResult, Trace } from "./results.ts";

export interface JsonRunResult extends Omit<RunResult, "notes" | "buffers" | "diagnostics" | "traces" | "comparisons"> {
  readonly buffers: Readonly<Record<string, JsonBuffer>>;
  readonly comparisons: readonly unknown[];
  readonly diagnostics: readonly JsonDiagnostic[];
  /** Left out where nothing was traced. */
  readonly traces?: readonly Trace[];
}

export interface JsonBuffer {
  readonly group: number | null;
  readonly binding: number | null;
  readonly type: string;
  readonly values: unknown;
  /** base64; left out unless asked for. */
  readonly bytes?: string;
}

/** One entry of `results`. `raw`: with the bytes of the buffers. */
export function runResultToJson(result: RunResult, raw = false): JsonRunResult {
  const { path, ok, device, engine, launch, defaults, dispatches, comparisons, traces } = result;
  const buffers = Object.entries(result.buffers).map(([name, buffer]): [string, JsonBuffer] => [
    name,
    {
      group: buffer.group,
      binding: buffer.binding,
      type: typeName(buffer.layout.type),
      values: buffer.values,
      ...(raw ? { bytes: toBase64(buffer.bytes) } : {}),
    },
  ]);
  return {
    path,
    ok,
    device,
    engine,
    launch,
    defaults,
    dispatches,
    buffers: Object.fromEntries(buffers),
    comparisons: comparisons.map((each) => ({
      ...each,
      // JSON has no infinity.
      maxUlp: Number.isFinite(each.maxUlp) ? each.maxUlp : String(each.maxUlp),
    })),
    diagnostics: diagnosticsToJson(result.diagnostics),
    ...(traces.length === 0 ? {} : { traces }),
  };
}
