/**
 * What a function does to memory that invocations share, in the order of the text: plain and atomic accesses, barriers,
 * calls. The basis of all advice about barriers.
 */
import type * as ast from "../../syntax/ast.ts";
import { forEachOperand, forEachPart } from "../../syntax/walk.ts";
import type { VariableInfo } from "../program.ts";
import { type Advice, isLoop } from "./advice-context.ts";
import { type FunctionSurvey, isShared, type Loop } from "./survey.ts";

export interface Access {
  readonly kind: "access";
  readonly variable: VariableInfo;
  readonly access: "read" | "write" | "atomic-read" | "atomic-write";
  /** The memory view: `tile[i].x`; of an atomic access the call. */
  readonly view: ast.Expr;
  /** Indices and members from the variable inwards; null: through a pointer that is not followed. */
  readonly path: readonly (ast.Expr | number)[] | null;
}

export interface Barrier {
  readonly kind: "barrier";
  readonly call: ast.CallExpr;
  readonly name: string;
  /** What `workgroupUniformLoad` reads. */
  readonly variable: VariableInfo | null;
}

/** A call of a function that may touch shared memory or hold barriers: nothing is known of the order inside. */
export interface Call {
  readonly kind: "call";
  readonly call: ast.CallExpr;
  readonly callee: FunctionSurvey;
}

export type MemoryEvent = Access | Barrier | Call;

export function memoryEvents(advice: Advice, fn: FunctionSurvey): readonly MemoryEvent[] {
  return walkOf(advice, fn).events;
}

/** For each loop, its events: from the first up to the second index. */
export function loopEvents(advice: Advice, fn: FunctionSurvey): ReadonlyMap<Loop, readonly [number, number]> {
  return walkOf(advice, fn).loops;
}

function walkOf(advice: Advice, fn: FunctionSurvey): EventWalk {
  let walk = advice.eventWalks.get(fn);
  if (walk === undefined) {
    walk = new EventWalk(advice);
    walk.statement(fn.info.declaration.body);
    advice.eventWalks.set(fn, walk);
  }
  return walk;
}

/** Whether an event orders accesses to memory of this address space. spec: #sync-builtin-functions */
export function orders(event: MemoryEvent, space: string): boolean {
  if (event.kind === "call") return event.callee.hasBarrier;
  if (event.kind !== "barrier") return false;
  if (space === "storage") return event.name === "storageBarrier";
  return event.name === "workgroupBarrier" || event.name === "workgroupUniformLoad";
}

export class EventWalk {
  readonly events: MemoryEvent[] = [];
  readonly loops = new Map<Loop, readonly [number, number]>();
  readonly #advice: Advice;

  constructor(advice: Advice) {
    this.#advice = advice;
  }

  statement(node: ast.Statement): void {
    const from = this.events.length;
    this.#parts(node);
    if (isLoop(node)) this.loops.set(node, [from, this.events.length]);
  }

  #parts(node: ast.Statement): void {
    if (node.kind === "assign") {
      this.#expression(node.right);
      this.#assigned(node.left, node.operator !== null);
    } else if (node.kind === "increment") this.#assigned(node.left, true);
    else if (node.kind === "for") this.#for(node);
    else {
      forEachPart(
        node,
        (part) => this.statement(part),
        (part) => this.#expression(part),
      );
    }
  }

  /** The update comes behind the body. */
  #for(node: ast.ForStatement): void {
    if (node.initializer !== null) this.statement(node.initializer);
    if (node.condition !== null) this.#expression(node.condition);
    this.statement(node.body);
    if (node.update !== null) this.statement(node.update);
  }

  #assigned(left: ast.Expr, reads: boolean): void {
    this.#indices(left);
    if (reads) this.#access(left, "read");
    this.#access(left, "write");
  }

  #expression(expr: ast.Expr): void {
    if (this.#advice.program.typeOf[expr.id]?.kind === "reference") {
      this.#indices(expr);
      this.#access(expr, "read");
      return;
    }
    if (expr.kind === "call") {
      this.#call(expr);
      return;
    }
    // An address that is taken is no access yet.
    if (expr.kind === "unary" && expr.operator === "&") this.#indices(expr.operand);
    else if (expr.kind === "binary") this.#chain(expr);
    else forEachOperand(expr, (part) => this.#expression(part));
  }

  /** Chains of operators hang on their left side: down there by a loop, not by recursion. */
  #chain(expr: ast.BinaryExpr): void {
    const rights: ast.Expr[] = [];
    let at: ast.Expr = expr;
    for (; at.kind === "binary"; at = at.left) rights.push(at.right);
    this.#expression(at);
    for (let i = rights.length - 1; i >= 0; i--) this.#expression(rights[i]);
  }

  /** Expressions in brackets on the way to a memory view. */
  #indices(view: ast.Expr): void {
    let at = view;
    for (;;) {
      if (at.kind === "index") {
        this.#expression(at.index);
        at = at.object;
      } else if (at.kind === "member") at = at.object;
      else if (at.kind === "unary") at = at.operand;
      else return;
    }
  }

  #access(view: ast.Expr, access: Access["access"], place: ast.Expr = view): void {
    const variable = this.#advice.survey.roots.of(place);
    if (variable?.kind !== "variable" || !isShared(variable)) return;
    this.events.push({ kind: "access", variable, access, view, path: pathOf(this.#advice, place) });
  }

  #call(node: ast.CallExpr): void {
    for (const arg of node.args) this.#expression(arg);
    const call = this.#advice.program.callOf[node.id];
    if (call === null || call.kind === "construct") return;
    if (call.kind === "function") {
      const callee = this.#advice.survey.surveyOf.get(call.function)!;
      if (callee.hasBarrier || callee.touches !== 0) this.events.push({ kind: "call", call: node, callee });
      return;
    }
    const { name } = call;
    if (name.endsWith("Barrier") || name === "workgroupUniformLoad") {
      const root = node.argCount > 0 ? this.#advice.survey.roots.of(node.arg(0)) : null;
      this.events.push({ kind: "barrier", call: node, name, variable: root?.kind === "variable" ? root : null });
    }
    if (name.startsWith("atomic")) {
      this.#access(node, name === "atomicLoad" ? "atomic-read" : "atomic-write", node.arg(0));
    }
  }
}

function pathOf(advice: Advice, place: ast.Expr): readonly (ast.Expr | number)[] | null {
  const path: (ast.Expr | number)[] = [];
  let at = place;
  if (at.kind === "unary" && at.operator === "&") at = at.operand;
  for (;;) {
    switch (at.kind) {
      case "identifier":
        return advice.program.entityOf[at.id]?.kind === "variable" ? path.reverse() : null;
      case "index": {
        // A component of a vector is no place of its own: a store to it counts as one to the whole vector.
        const type = advice.program.typeOf[at.object.id];
        const isVector = type?.kind === "reference" && type.store.kind === "vector";
        if (!isVector) path.push(at.index);
        at = at.object;
        break;
      }
      case "member": {
        const info = advice.program.memberOf[at.id];
        if (info?.kind === "member") path.push(info.index);
        at = at.object;
        break;
      }
      default:
        return null;
    }
  }
}
