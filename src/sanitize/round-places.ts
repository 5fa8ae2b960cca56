/** Barriers for what is come to more than once: in the rounds of a loop, or in a function that is called at several places. */
import type { AccessSite } from "../engine/flat.ts";
import type { FunctionId, IrModule } from "../ir/ir.ts";
import { eachInstruction, innermostLoop } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import { isSameSpan } from "../text/source.ts";
import type { DispatchScope } from "./draft.ts";
import { type BarrierPlace, behindBoth, type InstructionSite, pathTo, placeBehind, waysTo } from "./places.ts";

/** Where barriers could stand that order two places which are come to more than once. */
export interface RoundPlaces {
  /** Any of these orders what comes first in the source with the other one behind it. */
  readonly between: readonly BarrierPlace[];
  /** Any of these orders both with what comes in the next round, or call. */
  readonly ends: readonly BarrierPlace[];
}

/** null: each is come to once. `first` comes first in the source. */
export function roundPlaces(scope: DispatchScope, first: AccessSite, second: AccessSite): RoundPlaces | null {
  const { module } = scope;
  const ways = waysTo(module, first, second);
  if (ways === null) {
    const [one, other] = [first, second].map((site) => [
      ...placesBehind(module, site),
      ...behindCallsOf(module, site.function),
    ]);
    const [start, otherStart] = [first, second].map((site) => startsOf(scope, site.function));
    return { between: [...one, ...otherStart], ends: [...other, ...start] };
  }
  const { a, depth, loop, inOne } = ways;
  const isRepeated = isCalledAgain(module, first.function);
  if (loop < 0 && !isRepeated) return null;
  const areApart = inOne === null && depth < a.length && first.span.end <= second.span.start;
  const loopEnd = loop < 0 ? [] : [behindBoth(module, first, second, a[loop])];
  const functionEnd = isRepeated
    ? [
        behindBoth(module, first, second, null),
        ...startsOf(scope, first.function),
        ...behindCallsOf(module, first.function),
      ]
    : [];
  const around = depth === 0 ? null : a[depth - 1];
  const isOneStatement = inOne === null && !areApart && depth < a.length;
  return {
    between: areApart ? [placeBehind(module, first, around)] : isOneStatement ? writeIn(first, second) : [],
    ends: [...loopEnd, ...functionEnd],
  };
}

/** In front of the write of a statement that reads and writes: where all that it reads is in variables by then. */
function writeIn(...sites: readonly AccessSite[]): readonly BarrierPlace[] {
  const stores = sites.filter(({ kind }) => kind === "write");
  return stores.length !== 1
    ? []
    : stores.map(({ function: fn, instruction, span }) => ({
        behind: span.start,
        flowOf: span.start,
        function: fn,
        inst: instruction,
        side: "before",
        isWithin: true,
      }));
}

/** In each block around an instruction, the innermost first. */
function placesBehind(module: IrModule, site: InstructionSite): readonly BarrierPlace[] {
  const around = pathTo(module.functions[site.function].body, site.instruction)!.slice(0, -1);
  return [...around.reverse(), null].map((each) => placeBehind(module, site, each));
}

/** Calls by what they call. */
const callsOf = onceFor(({ functions }: IrModule) => {
  const calls = new Map<FunctionId, InstructionSite[]>();
  for (const { id, body } of functions) {
    eachInstruction(body, (inst) => {
      if (inst.kind !== "call") return;
      const found = calls.get(inst.function) ?? [];
      found.push({ function: id, instruction: inst.id, span: inst.span });
      calls.set(inst.function, found);
    });
  }
  return calls;
});

const placesBehindCalls = onceFor((_: IrModule) => new Map<FunctionId, readonly BarrierPlace[]>());

/** Behind each call of a function, and behind the calls of whoever calls it. */
function behindCallsOf(module: IrModule, called: FunctionId): readonly BarrierPlace[] {
  let found = placesBehindCalls(module).get(called);
  if (found === undefined) {
    const callees = new Set([called]);
    const calls: InstructionSite[] = [];
    for (const callee of callees) {
      for (const call of callsOf(module).get(callee) ?? []) {
        callees.add(call.function);
        calls.push(call);
      }
    }
    found = calls.flatMap((call) => placesBehind(module, call));
    placesBehindCalls(module).set(called, found);
  }
  return found;
}

/** The start of a function that others call. */
function startsOf({ module, step: { program } }: DispatchScope, fn: FunctionId): readonly BarrierPlace[] {
  const { body, span } = module.functions[fn];
  const [first] = body.instructions;
  const info = program.functions.find(({ declaration }) => isSameSpan(declaration.span, span));
  if (fn === module.entryPoint || info === undefined) return [];
  const behind = info.declaration.body.span.start + 1;
  return [{ behind, flowOf: first.span.start, function: fn, inst: first.id, side: "before", isWithin: false }];
}

/** Whether an invocation may come to a function more than once. */
export function isCalledAgain(module: IrModule, fn: FunctionId): boolean {
  return repeatedCalls(module)[fn];
}

const repeatedCalls = onceFor(({ functions }: IrModule): readonly boolean[] => {
  const calls = functions.map(() => 0);
  const again = functions.map(() => false);
  // Callers before whom they call.
  for (const { id, body } of [...functions].reverse()) {
    eachInstruction(body, (inst) => {
      if (inst.kind !== "call") return;
      const callee = inst.function;
      again[callee] ||= ++calls[callee] > 1 || again[id] || innermostLoop(body, inst.id) !== null;
    });
  }
  return again;
});
