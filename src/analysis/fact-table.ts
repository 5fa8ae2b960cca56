/**
 * What is known of each node, by its id. A large module has as many facts as nodes, and most of them say one of few things,
 * so they are small numbers in one array: which type, which value, when it is known, what it means. `Program` spreads them out into a table each, for those that are asked for.
 */
import { convertValue } from "../builtins/convert-value.ts";
import { scalarValue } from "../builtins/evaluate-parts.ts";
import { type BuiltinRow, isEvaluationError } from "../builtins/row.ts";
import type * as ast from "../syntax/ast.ts";
import { type Numbered, Numbering } from "../types/numbering.ts";
import { numbered, type ScalarType, type Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { CallInfo, Declaration, Entity, EvaluationTime, MemberInfo, PredeclaredEntity } from "./program.ts";

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
export interface Application extends Numbered {
  readonly row: BuiltinRow | null;
  readonly call: CallInfo | null;
}

/** The numbers of a node: of its type, of the type that its place takes it as, of its value; what else there is. */
const WIDTH = 4;
const TYPE = 0;
const USED_AS = 1;
const VALUE = 2;
const REST = 3;

/** The rest: the time in the lowest two bits, then what kind of meaning the node has, and a yes or no; then its number. */
const TIME = 3;
const DECLARATION = 4;
const PREDECLARED = 8;
const DECLARED = 16;
const APPLICATION = 32;
const MEMBER = 64;
const REACHES_OUT = 128;
const NUMBER = 8;

export class Facts {
  /** Ids of nodes run from 0 up to this. */
  readonly count: number;
  readonly #numbers: Int32Array;
  readonly #types = new Numbering<Type>();
  readonly #applications = new Numbering<Application>();
  readonly #values: (ConstValue | null)[] = [null];
  /** By the number of a word, the number of its value; 0: it has none, or none yet. */
  readonly #literals: number[] = [];
  readonly #declarations: Declaration[] = [];
  readonly #predeclared: PredeclaredEntity[] = [];
  readonly #declared: Entity[] = [];
  readonly #members: MemberInfo[] = [];

  constructor(count: number) {
    this.count = count;
    this.#numbers = new Int32Array(WIDTH * count);
  }

  // ---------------------------------------------------------------- expressions

  typeOf(id: ast.NodeId): Type | null {
    return this.#types.items[this.#numbers[WIDTH * id + TYPE]];
  }

  /** Its place takes it as what it is, until `setUsedAs` says otherwise. */
  setType(id: ast.NodeId, type: Type): void {
    const number = this.#types.numberOf(numbered(type));
    this.#numbers[WIDTH * id + TYPE] = number;
    this.#numbers[WIDTH * id + USED_AS] = number;
  }

  usedAs(id: ast.NodeId): Type | null {
    return this.#types.items[this.#numbers[WIDTH * id + USED_AS]];
  }

  setUsedAs(id: ast.NodeId, type: Type): void {
    this.#numbers[WIDTH * id + USED_AS] = this.#types.numberOf(numbered(type));
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

  /** One value for all literals of one spelling. */
  setLiteral(id: ast.NodeId, { word, value }: ast.LiteralExpr, type: ScalarType): void {
    const numbers = this.#literals;
    while (numbers.length <= word) numbers.push(0);
    if (numbers[word] === 0) numbers[word] = this.#values.push(scalarValue(type, value)) - 1;
    this.#numbers[WIDTH * id + VALUE] = numbers[word];
  }

  time(id: ast.NodeId): Time {
    return (this.#numbers[WIDTH * id + REST] & TIME) as Time;
  }

  /** Once for a node: it is `CONST` before. */
  setTime(id: ast.NodeId, time: Time): void {
    this.#numbers[WIDTH * id + REST] |= time;
  }

  // ---------------------------------------------------------------- what nodes mean

  /** Gives the number by which identifiers resolve to a declaration. */
  addDeclaration(declaration: Declaration): number {
    return this.#declarations.push(declaration) - 1;
  }

  addPredeclared(entity: PredeclaredEntity): number {
    return this.#predeclared.push(entity) - 1;
  }

  resolveTo(id: ast.NodeId, declaration: number): void {
    this.#mean(id, DECLARATION, declaration);
  }

  resolveToPredeclared(id: ast.NodeId, predeclared: number): void {
    this.#mean(id, PREDECLARED, predeclared);
  }

  /** Of an identifier: the declaration that it resolves to; null: predeclared, or nothing. */
  declarationOf(id: ast.NodeId): Declaration | null {
    const rest = this.#numbers[WIDTH * id + REST];
    return (rest & DECLARATION) === 0 ? null : this.#declarations[rest >>> NUMBER];
  }

  /** Of an identifier that nothing in the module declares. */
  predeclaredOf(id: ast.NodeId): PredeclaredEntity | null {
    const rest = this.#numbers[WIDTH * id + REST];
    return (rest & PREDECLARED) === 0 ? null : this.#predeclared[rest >>> NUMBER];
  }

  entityOf(id: ast.NodeId): Entity | null {
    const declaration = this.declarationOf(id);
    return declaration === null ? this.predeclaredOf(id) : this.declared(declaration.id);
  }

  declared(id: ast.NodeId): Entity | null {
    const rest = this.#numbers[WIDTH * id + REST];
    return (rest & DECLARED) === 0 ? null : this.#declared[rest >>> NUMBER];
  }

  declare(id: ast.NodeId, entity: Entity): void {
    this.#mean(id, DECLARED, this.#declared.push(entity) - 1);
  }

  rowOf(id: ast.NodeId): BuiltinRow | null {
    return this.#applicationOf(id)?.row ?? null;
  }

  callOf(id: ast.NodeId): CallInfo | null {
    return this.#applicationOf(id)?.call ?? null;
  }

  #applicationOf(id: ast.NodeId): Application | null {
    const rest = this.#numbers[WIDTH * id + REST];
    return (rest & APPLICATION) === 0 ? null : this.#applications.items[rest >>> NUMBER];
  }

  apply(id: ast.NodeId, application: Application): void {
    this.#mean(id, APPLICATION, this.#applications.numberOf(application));
  }

  memberOf(id: ast.NodeId): MemberInfo | null {
    const rest = this.#numbers[WIDTH * id + REST];
    return (rest & MEMBER) === 0 ? null : this.#members[rest >>> NUMBER];
  }

  setMember(id: ast.NodeId, info: MemberInfo): void {
    this.#mean(id, MEMBER, this.#members.push(info) - 1);
  }

  #mean(id: ast.NodeId, kind: number, number: number): void {
    const at = WIDTH * id + REST;
    this.#numbers[at] = (this.#numbers[at] & TIME) | kind | (number << NUMBER);
  }

  /** Of a statement: what stands in itself, not in its blocks, mentions memory that the function did not declare. */
  reachesOut(id: ast.NodeId): boolean {
    return (this.#numbers[WIDTH * id + REST] & REACHES_OUT) !== 0;
  }

  /** Once all else is known of the node. */
  setReachesOut(id: ast.NodeId): void {
    this.#numbers[WIDTH * id + REST] |= REACHES_OUT;
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
