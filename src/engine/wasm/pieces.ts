/**
 * A long function with barriers in pieces: what compilers take for one function grows with the square of the loops in it,
 * and a phase has one. Runs of whole items, cut out of the code when it is there, become functions that are given all locals
 * and give them back.
 */
import { ByteWriter, type FunctionBody, type ModuleBuilder, type Position } from "./encoder.ts";
import { OP, type ValueType } from "./instructions.ts";

/** Bytes of a function that is cut, and about those of a piece. */
export const LONG = 2 ** 17;
export const PIECE = 2 ** 14;
/** V8 takes a function with no more parameters, or results, than this. */
const MOST_LOCALS = 1000;

/** From one byte of the code to another one: nothing in it jumps out. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** `runs`: in order, none inside of another one. */
export function inPieces(
  builder: ModuleBuilder,
  name: string,
  parameters: readonly ValueType[],
  body: FunctionBody,
  runs: readonly Run[],
): FunctionBody {
  const types = [...parameters, ...body.locals];
  if (body.code.length <= LONG || types.length > MOST_LOCALS) return body;
  const out = new ByteWriter(LONG);
  const positions: Position[] = [];
  let next = 0;
  /** The bytes from the end of the last ones on: they go behind others, with their positions. */
  const move = (start: number, end: number, to: ByteWriter, known: Position[]): void => {
    const by = to.length - start;
    const before = body.positions[next - 1];
    if (before !== undefined) known.push({ offset: to.length, span: before.span });
    for (; next < body.positions.length && body.positions[next].offset < end; next++) {
      const { offset, span } = body.positions[next];
      known.push({ offset: offset + by, span });
    }
    to.append(body.code.subarray(start, end));
  };
  let at = 0;
  for (const { start, end } of runs) {
    move(at, start, out, positions);
    const index = builder.declare(name, { params: types, results: types });
    for (const local of types.keys()) localOp(out, OP.local_get, local);
    out.byte(OP.call);
    out.unsigned(index);
    for (let local = types.length - 1; local >= 0; local--) localOp(out, OP.local_set, local);
    const piece = new ByteWriter(end - start + 4 * types.length);
    const own: Position[] = [];
    move(start, end, piece, own);
    for (const local of types.keys()) localOp(piece, OP.local_get, local);
    piece.byte(OP.end);
    builder.define(index, { locals: [], code: piece.bytes, positions: own });
    at = end;
  }
  move(at, body.code.length, out, positions);
  return { locals: body.locals, code: out.bytes, positions };
}

function localOp(out: ByteWriter, op: number, local: number): void {
  out.byte(op);
  out.unsigned(local);
}
