import { describe, expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { ABSTRACT_INT, BOOL, F32, I32, U32, VOID, vectorType } from "../types/type.ts";
import type { Block, Instruction, IrFunction, IrModule } from "./ir.ts";
import { verify } from "./verify.ts";

const SOURCE = `
struct State { count: atomic<u32>, list: array<u32> }
@group(0) @binding(0) var<storage, read_write> state: State;
@group(0) @binding(1) var<storage> input: array<vec2f>;
var<workgroup> tile: array<u32, 4>;
fn pick(p: ptr<workgroup, array<u32, 4>>, i: u32) -> u32 { return (*p)[i]; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) index: u32) {
  var sum = 0u;
  for (var i = 0u; i < 4; i++) {
    if i == index { continue; }
    sum += pick(&tile, i);
  }
  let v = input[index] * 2;
  let w = vec2u(v);
  let s = select(v.yx, v, w == w);
  switch sum { case 1, 2: { tile[index] = w[index]; } default: {} }
  let f = -i32(sum);
  state.list[arrayLength(&state.list) - 1] = atomicAdd(&state.count, u32(f)) + u32(s.x);
  tile[0] = pack2x16float(sin(s)) + bitcast<u32>(f);
}`;

const legal = lowerText(SOURCE);

type Kind = Instruction["kind"];
type Of<K extends Kind> = Extract<Instruction, { kind: K }>;

/** The module with every block of its functions rewritten; blocks inside first. */
function rewrite(module: IrModule, change: (block: Block) => Block): IrModule {
  const inBlock = (block: Block): Block => change({ instructions: block.instructions.map(inInstruction) });
  const inInstruction = (inst: Instruction): Instruction => {
    switch (inst.kind) {
      case "if": {
        const then = inBlock(inst.then);
        return { ...inst, then, otherwise: inBlock(inst.otherwise) };
      }
      case "loop":
        return { ...inst, body: inBlock(inst.body), continuing: inBlock(inst.continuing) };
      case "switch":
        return { ...inst, clauses: inst.clauses.map((clause) => ({ ...clause, body: inBlock(clause.body) })) };
      default:
        return inst;
    }
  };
  return { ...module, functions: module.functions.map((made) => ({ ...made, body: inBlock(made.body) })) };
}

/** The first instruction of a kind that `where` accepts is changed. */
function seeded<K extends Kind>(kind: K, changes: object, where: (inst: Of<K>) => boolean = () => true): IrModule {
  let done = false;
  const module = rewrite(legal, (block) => ({
    instructions: block.instructions.map((inst) => {
      if (done || inst.kind !== kind || !where(inst as Of<K>)) return inst;
      done = true;
      return { ...inst, ...changes } as Instruction;
    }),
  }));
  if (!done) throw new Error(`the source has no such ‘${kind}’`);
  return module;
}

function withMain(changes: Partial<IrFunction>, module = legal): IrModule {
  return {
    ...module,
    functions: module.functions.map((made) => (made.id === module.entryPoint ? { ...made, ...changes } : made)),
  };
}

const main = legal.functions[legal.entryPoint];
const messages = (module: IrModule) => verify(module).map((each) => each.message);

test("a lowered module has no fault, rewritten as it is neither", () => {
  expect(verify(legal)).toEqual([]);
  expect(verify(rewrite(legal, (block) => block))).toEqual([]);
});

describe("types", () => {
  test.each<[string, IrModule, RegExp]>([
    ["a constant of another type", seeded("const", { type: F32 }), /const: the value is of another type/],
    ["unlike operands", seeded("binary", { type: F32 }, (inst) => inst.operator === "-"), /binary: the result/],
    [
      "an operator on what it is not for",
      seeded("binary", { operator: "&" }, (i) => i.type === vectorType(2, F32)),
      /‘&’ on/,
    ],
    ["negation", seeded("unary", { type: U32 }), /unary: the result/],
    ["a condition", seeded("if", { condition: main.params[0].id }), /if: the condition is no bool|cannot be seen/],
    ["a selector", seeded("switch", { clauses: [] }), /switch: there is not one default/],
    ["a part that does not exist", seeded("extract", { index: 7 }), /extract: part 7/],
    ["a part of another type", seeded("extract", { type: BOOL }), /extract: the result/],
    ["a dynamic part", seeded("extract-dynamic", { type: I32 }), /extract-dynamic: the result/],
    ["a swizzle", seeded("swizzle", { components: [0, 3] }), /swizzle: a component/],
    ["a splat", seeded("splat", { type: vectorType(3, U32) }), /splat: from/],
    ["a conversion", seeded("convert", { type: vectorType(4, U32) }), /convert: from/],
    ["a bitcast", seeded("bitcast", { type: vectorType(2, U32) }), /bitcast: from/],
    ["a select", seeded("select", { type: F32 }), /select: values of different types/],
    ["a builtin", seeded("builtin", { type: F32 }, (inst) => inst.name === "sin"), /builtin: an argument/],
    ["a call", seeded("call", { type: I32 }), /call: ‘pick’ returns u32/],
    ["arguments", seeded("call", { args: [] }), /call: 0 arguments/],
    ["a returned value", seeded("return", { value: null }), /return: returns no value/],
    ["an abstract value", seeded("const", { type: ABSTRACT_INT }), /a value of the type abstract integer/],
  ])("%s", (_, module, message) => {
    expect(messages(module).join("\n")).toMatch(message);
  });
});

describe("memory", () => {
  test.each<[string, IrModule, RegExp]>([
    ["a root that is not the pointer’s", seeded("access", { root: 0 }), /access: another root/],
    ["a load that names another root", seeded("load", { root: 1 }, (inst) => inst.root !== null), /load: another root/],
    ["a load that names no root", seeded("load", { root: null }, (inst) => inst.root !== null), /load: another root/],
    ["a load that names another space", seeded("load", { space: "private" }), /load: says the address space private/],
    ["a store of another size", seeded("store", { size: 3 }), /store: says 3 bytes/],
    ["a step by another name", seeded("access", { step: "column" }), /access: the step into/],
    ["a part out of bounds", seeded("access", { index: 9 }, (inst) => inst.step === "member"), /access: part 9/],
    [
      "a member at a dynamic index",
      seeded("access", { index: { dynamic: 0 } }, (i) => i.step === "member"),
      /not known/,
    ],
    ["a variable of another type", seeded("variable", { root: 1 }), /variable: not its root’s type/],
    ["a local of another type", seeded("local", { local: 5 }), /local: not its variable’s type/],
    ["a length of no array", seeded("array-length", { pointer: main.params[0].id }), /array-length: not on/],
    ["an atomic without arguments", seeded("atomic", { args: [] }), /atomic: 0 arguments/],
    ["an atomic of another type", seeded("atomic", { type: I32 }), /atomic: a result/],
    [
      "an argument from another root",
      {
        ...legal,
        functions: legal.functions.map((f) => ({ ...f, params: f.params.map((p) => ({ ...p, root: null })) })),
      },
      /root of the pointer parameter ‘p’ is not known/,
    ],
  ])("%s", (_, module, message) => {
    expect(messages(module).join("\n")).toMatch(message);
  });
});

describe("places", () => {
  const span = { start: 0, end: 0 };
  const jump = (kind: "break" | "continue") => ({ kind, id: main.instructionCount, type: VOID, span }) as Instruction;
  const inMain = (change: (instructions: readonly Instruction[]) => readonly Instruction[]) =>
    withMain({ body: { instructions: change(main.body.instructions) }, instructionCount: main.instructionCount + 1 });
  const inLoop = (part: "body" | "continuing", inst: Instruction) =>
    inMain((all) =>
      all.map((each) =>
        each.kind === "loop" ? { ...each, [part]: { instructions: [...each[part].instructions, inst] } } : each,
      ),
    );

  test.each<[string, IrModule, RegExp]>([
    ["an operand that comes later", inMain((all) => [...all].reverse()), /cannot be seen from/],
    ["an id twice", inMain((all) => [...all, all[0]]), /is defined twice/],
    ["an id beyond the count", withMain({ instructionCount: 3 }), /is not below the number of instructions/],
    [
      "something after a jump",
      rewrite(legal, ({ instructions }) => {
        const last = instructions.at(-1);
        return { instructions: last?.kind === "continue" ? [...instructions, last] : instructions };
      }),
      /‘continue’ follows the end of its block/,
    ],
    ["a break with nothing to leave", inMain((all) => [...all, jump("break")]), /‘break’ with nothing to leave/],
    ["a continue outside of loops", inMain((all) => [...all, jump("continue")]), /‘continue’ with no loop/],
    ["a break in a continuing block", inLoop("continuing", jump("break")), /‘break’ with nothing to leave/],
    ["a continue in a continuing block", inLoop("continuing", jump("continue")), /‘continue’ with no loop/],
    [
      "a return in a continuing block",
      inLoop("continuing", { ...jump("break"), kind: "return", value: null } as Instruction),
      /‘return’ in a continuing/,
    ],
    [
      "a callee that comes later",
      { ...legal, functions: [...legal.functions].reverse() },
      /does not come before|has id/,
    ],
    ["no such entry point", { ...legal, entryPoint: 9 }, /there is no function #9/],
    ["a workgroup of no size", { ...legal, workgroupSize: [0, 1, 1] }, /not made of positive integers/],
    ["an instruction without a span", seeded("load", { span: { start: -1, end: 0 } }), /it has no span/],
  ])("%s", (_, module, message) => {
    expect(messages(module).join("\n")).toMatch(message);
  });

  test("a continuing block sees the body only up to the first ‘continue’", () => {
    const source = (before: string, after: string) => `@compute @workgroup_size(1) fn main() {
      var i = 0; loop { ${before} if i == 3 { i++; continue; } ${after} if i > 9 { break; } continuing { i += step; } } }`;
    const module = lowerText(source("let step = i;", "let other = i;"));
    expect(verify(module)).toEqual([]);
    const late = rewrite(module, ({ instructions }) => {
      const at = instructions.findIndex((inst) => inst.kind === "if");
      if (at < 0) return { instructions };
      const branch = instructions.slice(at - 3, at + 1);
      return { instructions: [...branch, ...instructions.slice(0, at - 3), ...instructions.slice(at + 1)] };
    });
    expect(messages(late).join("\n")).toMatch(/cannot be seen/);
  });
});
