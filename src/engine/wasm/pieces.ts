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
  const take = (start: number, end: number): void => {
    positions.push(...positionsIn(body, start, end, out.length));
    out.append(body.code.subarray(start, end));
  };
  let at = 0;
  for (const { start, end } of runs) {
    take(at, start);
    const index = builder.declare(name, { params: types, results: types });
    for (const local of types.keys()) localOp(out, OP.local_get, local);
    out.byte(OP.call);
    out.unsigned(index);
    for (let local = types.length - 1; local >= 0; local--) localOp(out, OP.local_set, local);
    builder.define(index, pieceOf(types.length, body, start, end));
    at = end;
  }
  take(at, body.code.length);
  return { locals: body.locals, code: out.bytes, positions };
}

function pieceOf(locals: number, body: FunctionBody, start: number, end: number): FunctionBody {
  const out = new ByteWriter(end - start + 4 * locals);
  out.append(body.code.subarray(start, end));
  for (let local = 0; local < locals; local++) localOp(out, OP.local_get, local);
  out.byte(OP.end);
  return { locals: [], code: out.bytes, positions: positionsIn(body, start, end, 0) };
}

function localOp(out: ByteWriter, op: number, local: number): void {
  out.byte(op);
  out.unsigned(local);
}

/** The positions of a run of bytes, which begin at `to` elsewhere. */
function positionsIn({ positions }: FunctionBody, start: number, end: number, to: number): Position[] {
  const before = positions.findLast(({ offset }) => offset < start);
  const within = positions.filter(({ offset }) => offset >= start && offset < end);
  const first = before === undefined || within[0]?.offset === start ? [] : [{ offset: start, span: before.span }];
  return [...first, ...within].map(({ offset, span }) => ({ offset: offset - start + to, span }));
}
