/**
 * What is known of each node, by its id. A large module has as many facts as nodes, and most of them say one of few things,
 * so they are small numbers in one array: which type, which value, when it is known. What a node means stands beside, as an
 * object that many nodes share. `Program` spreads them out into a table each, for those that are asked for.
 */
import { convertValue } from "../builtins/convert-value.ts";
import { type BuiltinRow, isEvaluationError } from "../builtins/row.ts";
import type * as ast from "../syntax/ast.ts";
import { Numbering, type Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { CallInfo, Entity, EvaluationTime, MemberInfo, PredeclaredEntity } from "./program.ts";

/** What has a name that an identifier can resolve to. */
export type Declaration =
  | ast.VarDecl
  | ast.LetDecl
  | ast.ConstDecl
  | ast.OverrideDecl
  | ast.AliasDecl
  | ast.StructDecl
  | ast.FunctionDecl
  | ast.Param;

export type ModuleDeclaration = Exclude<Declaration, ast.LetDecl | ast.Param>;

/** When the value of an expression is known at the earliest: the later, the larger. spec: #early-eval-exprs */
export type Time = 0 | 1 | 2;
export const CONST: Time = 0;
export const OVERRIDE: Time = 1;
export const RUNTIME: Time = 2;
const TIMES: readonly EvaluationTime[] = ["const", "override", "runtime"];

export function later(a: Time, b: Time): Time {
  return a > b ? a : b;
}

/** What an operator or a call stands for: the overload chosen (null: a function of the module), and what a call is. */
export interface Application {
  readonly row: BuiltinRow | null;
  readonly call: CallInfo | null;
}

/** The numbers of a node: of its type, of the type that its place takes it as, of its value; what else there is. */
const WIDTH = 4;
const TYPE = 0;
const USED_AS = 1;
const VALUE = 2;
const FLAGS = 3;

/** Flags: the time in the lowest two bits, and what the meaning is. */
const TIME = 3;
const DECLARATION = 4;
const PREDECLARED = 8;
const DECLARED = 16;
const APPLICATION = 32;
const MEMBER = 64;

export class Facts {
  /** Ids of nodes run from 0 up to this. */
  readonly count: number;
  readonly #numbers: Int32Array;
  readonly #meanings: unknown[];
  readonly #types = new Numbering();
  readonly #values: (ConstValue | null)[] = [null];

  constructor(count: number) {
    this.count = count;
    this.#numbers = new Int32Array(WIDTH * count);
    this.#meanings = nulls(count);
  }

  // ---------------------------------------------------------------- expressions

  typeOf(id: ast.NodeId): Type | null {
    return this.#types.types[this.#numbers[WIDTH * id + TYPE]];
  }

  /** Its place takes it as what it is, until `setUsedAs` says otherwise. */
  setType(id: ast.NodeId, type: Type): void {
    const number = this.#types.numberOf(type);
    this.#numbers[WIDTH * id + TYPE] = number;
    this.#numbers[WIDTH * id + USED_AS] = number;
  }

  usedAs(id: ast.NodeId): Type | null {
    return this.#types.types[this.#numbers[WIDTH * id + USED_AS]];
  }

  setUsedAs(id: ast.NodeId, type: Type): void {
    this.#numbers[WIDTH * id + USED_AS] = this.#types.numberOf(type);
  }

  constOf(id: ast.NodeId): ConstValue | null {
    return this.#values[this.#numbers[WIDTH * id + VALUE]];
  }

  /** The value of a const-expression as the type that its place takes it; null: not known. */
  valueAsUsed(id: ast.NodeId): ConstValue | null {
    const value = this.constOf(id);
    if (value === null) return null;
    const wanted = this.usedAs(id);
    if (wanted === null || value.type === wanted) return value;
    const converted = convertValue(value, wanted);
    return isEvaluationError(converted) ? null : converted;
  }

  setConst(id: ast.NodeId, value: ConstValue): void {
    this.#numbers[WIDTH * id + VALUE] = this.#values.push(value) - 1;
  }

  time(id: ast.NodeId): Time {
    return (this.#numbers[WIDTH * id + FLAGS] & TIME) as Time;
  }

  /** Once for a node: it is `CONST` before. */
  setTime(id: ast.NodeId, time: Time): void {
    this.#numbers[WIDTH * id + FLAGS] |= time;
  }

  // ---------------------------------------------------------------- what nodes mean

  /** Of an identifier: the declaration that it resolves to; null: predeclared, or nothing. */
  declarationOf(id: ast.NodeId): Declaration | null {
    return this.#meaning(id, DECLARATION) as Declaration | null;
  }

  /** Of an identifier that nothing in the module declares. */
  predeclaredOf(id: ast.NodeId): PredeclaredEntity | null {
    return this.#meaning(id, PREDECLARED) as PredeclaredEntity | null;
  }

  resolveTo(id: ast.NodeId, declaration: Declaration): void {
    this.#mean(id, DECLARATION, declaration);
  }

  resolveToPredeclared(id: ast.NodeId, entity: PredeclaredEntity): void {
    this.#mean(id, PREDECLARED, entity);
  }

  entityOf(id: ast.NodeId): Entity | null {
    const declaration = this.declarationOf(id);
    return declaration === null ? this.predeclaredOf(id) : this.declared(declaration.id);
  }

  declared(id: ast.NodeId): Entity | null {
    return this.#meaning(id, DECLARED) as Entity | null;
  }

  declare(id: ast.NodeId, entity: Entity): void {
    this.#mean(id, DECLARED, entity);
  }

  rowOf(id: ast.NodeId): BuiltinRow | null {
    return (this.#meaning(id, APPLICATION) as Application | null)?.row ?? null;
  }

  callOf(id: ast.NodeId): CallInfo | null {
    return (this.#meaning(id, APPLICATION) as Application | null)?.call ?? null;
  }

  apply(id: ast.NodeId, application: Application): void {
    this.#mean(id, APPLICATION, application);
  }

  memberOf(id: ast.NodeId): MemberInfo | null {
    return this.#meaning(id, MEMBER) as MemberInfo | null;
  }

  setMember(id: ast.NodeId, info: MemberInfo): void {
    this.#mean(id, MEMBER, info);
  }

  #mean(id: ast.NodeId, flag: number, meaning: unknown): void {
    this.#meanings[id] = meaning;
    this.#numbers[WIDTH * id + FLAGS] |= flag;
  }

  #is(id: ast.NodeId, flags: number): boolean {
    return (this.#numbers[WIDTH * id + FLAGS] & flags) !== 0;
  }

  #meaning(id: ast.NodeId, flags: number): unknown {
    return this.#is(id, flags) ? this.#meanings[id] : null;
  }

  // ---------------------------------------------------------------- tables

  timeOf(id: ast.NodeId): EvaluationTime {
    return TIMES[this.time(id)];
  }

  /** One fact of all nodes. */
  table<Value>(factOf: (facts: Facts, id: ast.NodeId) => Value): readonly Value[] {
    const values = new Array<Value>(this.count);
    for (let id = 0; id < values.length; id++) values[id] = factOf(this, id);
    return values;
  }
}

const MOST_KEPT = 1 << 16;
let longest: null[] = [];

/** Copied from a longer array, which is quicker than to fill one. */
function nulls(count: number): null[] {
  if (count > MOST_KEPT) return new Array<null>(count).fill(null);
  if (count > longest.length) longest = new Array<null>(Math.min(2 * count, MOST_KEPT)).fill(null);
  return longest.slice(0, count);
}
