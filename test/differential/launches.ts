/** Runs launches on the interpreter and on Dawn with SwiftShader, and compares what the buffers hold. */
import { createInterpreter } from "../../src/engine/interpreter.ts";
import type { Launch } from "../../src/launch/launch.ts";
import type { RunResult } from "../../src/launch/results.ts";
import { type RunOptions, run } from "../../src/launch/run.ts";
import { runLaunchOnDawn } from "../../tools/oracle/dawn.mjs";

/** As `tools/oracle/declarations.mjs` reads it. */
export type OracleType =
  | { readonly kind: "scalar"; readonly name: "u32" | "i32" | "f32" }
  | { readonly kind: "list"; readonly element: OracleType; readonly count: number; readonly stride: number }
  | { readonly kind: "struct"; readonly members: readonly OracleMember[] };

interface OracleMember {
  readonly name: string;
  readonly type: OracleType;
  readonly offset: number;
}

export interface OracleBuffer {
  readonly type: OracleType;
  readonly bytes: Uint8Array;
}

export type Outcome =
  | { readonly kind: "ran"; readonly buffers: Readonly<Record<string, Uint8Array>> }
  | { readonly kind: "failed"; readonly message: string };

export async function runOurs(launch: Launch, options: RunOptions = {}): Promise<Outcome> {
  try {
    return outcomeOf(await run(launch, { engine: createInterpreter(), ...options }));
  } catch (error) {
    return { kind: "failed", message: `throws ${(error as Error).stack}` };
  }
}

export function outcomeOf({ buffers, diagnostics }: RunResult): Outcome {
  const error = diagnostics.find((item) => item.severity === "error");
  if (error !== undefined) return { kind: "failed", message: `${error.code}: ${error.message}` };
  const bytes = Object.entries(buffers).map(([name, buffer]) => [name, buffer.bytes]);
  return { kind: "ran", buffers: Object.fromEntries(bytes) };
}

export type OracleOutcome =
  | { readonly kind: "ran"; readonly buffers: Readonly<Record<string, OracleBuffer>> }
  | { readonly kind: "failed"; readonly message: string };

/** `textOf` gives the text of what the launch calls its shader. */
export async function runOnOracle(
  device: GPUDevice,
  launch: Launch,
  textOf: (shader: string) => string = (shader) => shader,
): Promise<OracleOutcome> {
  try {
    const { buffers } = await runLaunchOnDawn(device, launch, textOf);
    return { kind: "ran", buffers: buffers as unknown as Readonly<Record<string, OracleBuffer>> };
  } catch (error) {
    return { kind: "failed", message: (error as Error).message };
  }
}

/** The first word that differs in a way the specification does not allow; null: none. */
export function difference(ours: Outcome, oracle: OracleOutcome): string | null {
  if (ours.kind === "failed") return `ours: ${ours.message}`;
  if (oracle.kind === "failed") return `Dawn: ${oracle.message}`;
  for (const [name, bytes] of Object.entries(ours.buffers)) {
    const other = oracle.buffers[name];
    if (other === undefined) return `${name}: not on Dawn`;
    if (other.bytes.length !== bytes.length) return `${name}: ${bytes.length} bytes, on Dawn ${other.bytes.length}`;
    const found = firstDifference(viewOf(bytes), viewOf(other.bytes), other.type, name, 0);
    if (found !== null) return found;
  }
  return null;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function firstDifference(a: DataView, b: DataView, type: OracleType, path: string, offset: number): string | null {
  switch (type.kind) {
    case "scalar": {
      const [x, y] = [a.getUint32(offset, true), b.getUint32(offset, true)];
      if (x === y || (type.name === "f32" && equalFloats(x, y))) return null;
      return `${path}: ${hex(x)}, on Dawn ${hex(y)}`;
    }
    case "list": {
      for (let i = 0; i < type.count; i++) {
        const found = firstDifference(a, b, type.element, `${path}[${i}]`, offset + i * type.stride);
        if (found !== null) return found;
      }
      return null;
    }
    case "struct": {
      for (const member of type.members) {
        const found = firstDifference(a, b, member.type, `${path}.${member.name}`, offset + member.offset);
        if (found !== null) return found;
      }
      return null;
    }
  }
}

/** Any NaN is a NaN, a subnormal may be flushed, and the sign of a zero may be ignored. spec: #floating-point-evaluation */
function equalFloats(x: number, y: number): boolean {
  return (isNaNBits(x) && isNaNBits(y)) || (isTiny(x) && isTiny(y));
}

function isNaNBits(bits: number): boolean {
  return (bits & 0x7fffffff) >>> 0 > 0x7f800000;
}

function isTiny(bits: number): boolean {
  return (bits & 0x7f800000) === 0;
}

function hex(word: number): string {
  return `0x${word.toString(16)}`;
}
