/** What each line does to memory that invocations share, and which lines lie between the same barriers. */
import type { FunctionInfo, Program } from "../analysis/program.ts";
import { RootIdentifiers } from "../analysis/root-identifier.ts";
import { accessesOf, type StaticAccess } from "../reflect/accesses.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import type { Span } from "../text/source.ts";
import { phaseRegions, type Wait } from "./phases.ts";
import type { SharedAccess, SharedMemory } from "./types.ts";

/**
 * By the way that an entry point takes through the functions: a pointer parameter counts as what it is given. Without
 * `entry`, all entry points together, and functions that none of them calls.
 */
export function sharedMemory(program: Program, entry?: string): SharedMemory {
  const entries = program.entryPoints.filter(({ name }) => entry === undefined || name === entry);
  const reached = new Set<FunctionInfo>();
  for (const info of entries) reach(info, reached);
  const loose = entry === undefined ? looseFunctions(program, reached) : [];
  const functions = [...reached].sort(byPlace);
  const waits = new WaitSearch(program);
  const accesses = accessesOf(program, ...entries, ...loose)
    .filter(({ variable }) => variable.space === "workgroup" || variable.space === "storage")
    .map((access) => sharedAccess(program, access));
  const barriers = functions.flatMap((info) => waits.barriersIn(info));
  return {
    accesses: [...accesses, ...barriers].sort((a, b) => a.start - b.start || a.end - b.end),
    regions: functions.flatMap((info) => phaseRegions(program.source, info, waits.of(info))),
  };
}

function byPlace(a: FunctionInfo, b: FunctionInfo): number {
  return a.declaration.span.start - b.declaration.span.start;
}

/** Adds a function and all that it calls. */
function reach(from: FunctionInfo, reached: Set<FunctionInfo>): void {
  const found = new Set([from]);
  for (const info of found) {
    reached.add(info);
    for (const callee of info.callees) if (!reached.has(callee)) found.add(callee);
  }
}

/** Functions that nobody calls but one another; each makes what it calls `reached`. */
function looseFunctions(program: Program, reached: Set<FunctionInfo>): readonly FunctionInfo[] {
  const loose: FunctionInfo[] = [];
  for (const info of program.functions.toReversed()) {
    if (reached.has(info)) continue;
    loose.push(info);
    reach(info, reached);
  }
  return loose;
}

function sharedAccess(program: Program, { variable, kind, span }: StaticAccess): SharedAccess {
  return {
    ...placed(program, span),
    kind,
    variable: variable.name,
    space: variable.space as "workgroup" | "storage",
    call: kind === "atomic" ? /^\w+/.exec(program.source.slice(span))![0] : null,
  };
}

function placed(program: Program, { start, end }: Span): { start: number; end: number; line: number } {
  return { start, end, line: program.source.position(start).line };
}

// ---------------------------------------------------------------- barriers

/** Finds where functions wait, each function once. */
class WaitSearch {
  readonly #program: Program;
  readonly #roots: RootIdentifiers;
  readonly #barriers = new Map<FunctionInfo, readonly ast.CallExpr[]>();
  /** null: being looked into; calls in a cycle, which is an error, wait for nothing. */
  readonly #waits = new Map<FunctionInfo, readonly Wait[] | null>();

  constructor(program: Program) {
    this.#program = program;
    this.#roots = new RootIdentifiers(program);
    // Callees first, so that a long chain of calls is no deep recursion.
    for (const info of program.functions) this.of(info);
  }

  /** Its own, and calls of functions that wait; in the order of the text. */
  of(info: FunctionInfo): readonly Wait[] {
    const known = this.#waits.get(info);
    if (known !== undefined) return known ?? [];
    this.#waits.set(info, null);
    const found = this.#calls(info).flatMap((call): Wait[] => {
      if (this.#isBarrier(call)) return [{ span: call.span, name: call.text, ...ordered(call) }];
      const called = this.#program.callOf[call.id];
      const inside = called?.kind === "function" ? this.of(called.function) : [];
      if (inside.length === 0) return [];
      const workgroup = inside.some((wait) => wait.workgroup);
      const storage = inside.some((wait) => wait.storage);
      return [{ span: call.span, name: call.text, workgroup, storage }];
    });
    this.#waits.set(info, found);
    return found;
  }

  barriersIn(info: FunctionInfo): readonly SharedAccess[] {
    return this.#calls(info)
      .filter((call) => this.#isBarrier(call))
      .map((call) => {
        const root = call.args.length === 0 ? null : this.#roots.of(call.args[0]);
        const { workgroup, storage } = ordered(call);
        return {
          ...placed(this.#program, call.span),
          kind: "wait",
          variable: root?.name ?? null,
          space: workgroup ? "workgroup" : storage ? "storage" : null,
          call: call.text,
        };
      });
  }

  #isBarrier(call: ast.CallExpr): boolean {
    return this.#program.callOf[call.id]?.kind === "builtin" && this.#program.rowOf[call.id]?.memory === "barrier";
  }

  #calls(info: FunctionInfo): readonly ast.CallExpr[] {
    let calls = this.#barriers.get(info);
    if (calls === undefined) {
      const found: ast.CallExpr[] = [];
      forEachExpression(info.declaration.body, (expr) => {
        if (expr.kind === "call") found.push(expr);
      });
      this.#barriers.set(info, (calls = found));
    }
    return calls;
  }
}

/** The memory whose accesses a barrier orders. spec: #sync-builtin-functions */
function ordered({ text }: ast.CallExpr): Pick<Wait, "workgroup" | "storage"> {
  return {
    workgroup: text === "workgroupBarrier" || text === "workgroupUniformLoad",
    storage: text === "storageBarrier",
  };
}
