import fc from "fast-check";
import { expect, test } from "vitest";
import * as math from "./math.ts";
import type { MathOps } from "./math-ops.ts";
import { type MathFunction, type MathValueKind, mathFunctions } from "./math-table.ts";

/** The smallest emitter that can be: each value gets a local of its own. */
class Emitter {
  readonly locals: MathValueKind[] = [];
  code: number[] = [];
  readonly #parameters: readonly MathValueKind[];

  constructor(parameters: readonly MathValueKind[]) {
    this.#parameters = parameters;
  }

  #define(kind: MathValueKind): number {
    const index = this.#parameters.length + this.locals.push(kind) - 1;
    this.code.push(0x21, ...unsigned(index));
    return index;
  }

  #apply(kind: MathValueKind, operands: readonly number[], ...opcodes: number[]): number {
    for (const operand of operands) this.code.push(0x20, ...unsigned(operand));
    this.code.push(...opcodes);
    return this.#define(kind);
  }

  #branch(condition: number, then: () => number, otherwise: () => number): number {
    const block = (compute: () => number): number[] => {
      const outer = this.code;
      this.code = [];
      const result = compute();
      const inner = [...this.code, 0x20, ...unsigned(result)];
      this.code = outer;
      return inner;
    };
    const [whenTrue, whenFalse] = [block(then), block(otherwise)];
    this.code.push(0x20, ...unsigned(condition), 0x04, 0x7c, ...whenTrue, 0x05, ...whenFalse, 0x0b);
    return this.#define("f64");
  }

  ops(): MathOps<number, number, number> {
    const float =
      (...opcodes: number[]) =>
      (...operands: number[]) =>
        this.#apply("f64", operands, ...opcodes);
    const integer =
      (...opcodes: number[]) =>
      (...operands: number[]) =>
        this.#apply("i32", operands, ...opcodes);
    const f64Constant = (value: number) => [0x44, ...new Uint8Array(new Float64Array([value]).buffer)];
    const i32Constant = (value: number) => [0x41, ...signed(value)];
    const i64Constant = (value: number) => [0x42, ...signed(value)];
    const select = (kind: MathValueKind) => (condition: number, a: number, b: number) =>
      this.#apply(kind, [a, b, condition], 0x1b);
    return {
      constant: (value) => this.#apply("f64", [], ...f64Constant(value)),
      add: float(0xa0),
      sub: float(0xa1),
      mul: float(0xa2),
      div: float(0xa3),
      sqrt: float(0x9f),
      abs: float(0x99),
      neg: float(0x9a),
      floor: float(0x9c),
      ceil: float(0x9b),
      trunc: float(0x9d),
      nearest: float(0x9e),
      copySign: float(0xa6),
      lessThan: integer(0x63),
      lessOrEqual: integer(0x65),
      equal: integer(0x61),
      isNonZero: (a) => a,
      both: integer(0x71),
      select: select("f64"),
      selectInteger: select("i32"),
      branch: (condition, then, otherwise) => this.#branch(condition, then, otherwise),
      integer: (value) => this.#apply("i32", [], ...i32Constant(value)),
      addInteger: integer(0x6a),
      subInteger: integer(0x6b),
      and: integer(0x71),
      or: integer(0x72),
      shiftLeft: (a, amount) => this.#apply("i32", [a], ...i32Constant(amount), 0x74),
      shiftRight: (a, amount) => this.#apply("i32", [a], ...i32Constant(amount), 0x75),
      toInteger: integer(0xfc, 0x02),
      fromInteger: float(0xb7),
      highWord: integer(0xbd, ...i64Constant(32), 0x88, 0xa7),
      withHighWord: (a, high) => {
        const low = [0x20, ...unsigned(a), 0xbd, ...i64Constant(0xffffffff), 0x83];
        return this.#apply("f64", [high], 0xad, ...i64Constant(32), 0x86, ...low, 0x84, 0xbf);
      },
      powerOfTwo: float(...i32Constant(1023), 0x6a, 0xad, ...i64Constant(52), 0x86, 0xbf),
      timesPower: (a, exponent) =>
        this.#apply("f64", [exponent], 0xad, ...i64Constant(52), 0x86, 0x20, ...unsigned(a), 0xbd, 0x7c, 0xbf),
      negateIfOdd: (a, n) =>
        this.#apply("f64", [n], 0xbd, ...i64Constant(63), 0x86, 0x20, ...unsigned(a), 0xbd, 0x85, 0xbf),
      fromExponent: float(0xbd, ...i64Constant(52), 0x86, 0xbf),
      limit: (a, most) => this.#apply("f64", [a], ...f64Constant(most), 0xa4, ...f64Constant(-most), 0xa5),
    };
  }
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const [low, rest] = [((value % 128) + 128) % 128, Math.floor(value / 128)];
  const done = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

async function compile({ parameters, result, body }: MathFunction): Promise<(...values: number[]) => number> {
  const kinds = parameters.map(({ kind }) => kind);
  const emitter = new Emitter(kinds);
  const returned = body(emitter.ops(), ...parameters.map((_, index) => index));
  const type = (kind: MathValueKind) => (kind === "f64" ? 0x7c : 0x7f);
  const vector = (items: number[][]) => [...unsigned(items.length), ...items.flat()];
  const sized = (bytes: number[]) => [...unsigned(bytes.length), ...bytes];
  const locals = vector(emitter.locals.map((kind) => [1, type(kind)]));
  const code = sized([...locals, ...emitter.code, 0x20, ...unsigned(returned), 0x0b]);
  const signature = [0x60, ...vector(kinds.map((kind) => [type(kind)])), 1, type(result)];
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized(vector([signature]))],
    ...[3, ...sized(vector([[0]]))],
    ...[7, ...sized(vector([[1, 0x66, 0, 0]]))],
    ...[10, ...sized(vector([code]))],
  ];
  const { instance } = await WebAssembly.instantiate(new Uint8Array(bytes));
  return instance.exports.f as (...values: number[]) => number;
}

const any = fc.oneof(
  fc.double(),
  fc.float(),
  fc.integer({ min: -400_000, max: 400_000 }).map((x) => x / 10_000),
  fc.integer({ min: -1100, max: 1100 }),
  fc.constantFrom(0, -0, 1, -1, 2 ** 31, 2 ** 60, Infinity, -Infinity, NaN),
);
const integers = fc.oneof(fc.integer(), fc.integer({ min: -2100, max: 2100 }));

/** The functions by name, as tests that go through the table need them. */
const functions: Readonly<Record<string, (...values: number[]) => number>> = { ...math };

test.each(Object.entries<MathFunction>(mathFunctions))("%s gives the same bits in WebAssembly", async (name, row) => {
  const emitted = await compile(row);
  const printed = functions[name];
  fc.assert(
    fc.property(fc.tuple(...row.parameters.map(({ kind }) => (kind === "i32" ? integers : any))), (values) => {
      const [a, b] = [emitted(...values), printed(...values)];
      if (!Object.is(a, b)) expect([values, a]).toEqual([values, b]);
    }),
    { numRuns: 2000 },
  );
});
