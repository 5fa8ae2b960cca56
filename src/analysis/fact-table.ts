/**
 * What is known of each node, by its id. A large module has as many facts as nodes, and most of them say one of few things,
 * so they are small numbers in one array: which type, which value, when it is known, what it means. `Program` spreads them out into a table each, for those that are asked for.
 */
import { convertValue } from "../builtins/convert-value.ts";
import { scalarValue } from "../builtins/evaluate-parts.ts";
import { type BuiltinRow, type EvaluationResult, isEvaluationError, type Resolved } from "../builtins/row.ts";
import type * as ast from "../syntax/ast.ts";
import { grown, listOf } from "../text/list.ts";
import { type Numbered, Numbering } from "../types/numbering.ts";
import { numberIn, type ReferenceType, type ScalarType, type Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { memberNumbered } from "./member-infos.ts";
import type { CallInfo, Declaration, Entity, EvaluationTime, MemberInfo, PredeclaredEntity } from "./program.ts";

/** When the value of an expression is known at the earliest: the later, the larger. spec: #early-eval-exprs */
export type Time = 0 | 1 | 2;
export const CONST: Time = 0;
export const OVERRIDE: Time = 1;
export const RUNTIME: Time = 2;
/** A set of times: `OVERRIDE` and `RUNTIME` are a bit each. */
export type Times = number;
const TIMES: readonly EvaluationTime[] = ["const", "override", "runtime"];

export function later(a: Time, b: Time): Time {
  return a > b ? a : b;
}

/** What an operator or a call stands for: the overload chosen (null: a function of the module), and what a call is. */
export interface Application extends Numbered {
  readonly row: BuiltinRow | null;
  readonly call: CallInfo | null;
}

/** The numbers of a node: of its type, of the type that its place takes it as, of its value; what else there is; of that. */
const WIDTH = 5;
const TYPE = 0;
const USED_AS = 1;
const VALUE = 2;
const REST = 3;
const NUMBER = 4;

/** Of each value: what it was converted to last; where the list begins of what was applied to it alone; 0: none. */
const MADE_WIDTH = 2;
const CONVERTED = 0;
const RESULTS = 1;

const LITERAL_WIDTH = 2;
const TYPE_OF_LITERAL = 0;
const VALUE_OF_LITERAL = 1;

/** What was applied to a value, with which result; where that of the same value stands that came before. */
const RESULT_WIDTH = 3;
const APPLIED = 0;
const RESULT = 1;
const BEFORE = 2;

/** The rest: the time in the lowest two bits, then what kind of meaning the node has, and a yes or no. */
const TIME = 3;
const DECLARATION = 4;
const PREDECLARED = 8;
const DECLARED = 16;
const APPLICATION = 32;
const MEMBER = 64;
const REACHES_OUT = 128;
const ACTS = 256;

const LARGEST = 2 ** 16 - 1;

export class Facts {
  /** Ids of nodes run from 0 up to this. */
  readonly count: number;
  /** Of 16 bits until a module has more of something than those can tell apart: fresh memory costs as much as filling it. */
  #numbers: Uint16Array | Uint32Array;
  readonly #types = new Numbering<Type>();
  readonly #applications = new Numbering<Application>();
  /** By the number of an overload, the number of its result. */
  readonly #resultTypes: number[] = [];
  /** By the number of a reference type, the number of what it is loaded as. */
  readonly #stores: number[] = [];
  readonly #values: (ConstValue | null)[] = [null];
  /** What was made of each value. Numbers outside the heap, so that no collection of garbage moves them. */
  #made: Int32Array<ArrayBuffer> = new Int32Array(MADE_WIDTH * 256);
  #results: Int32Array<ArrayBuffer> = new Int32Array(RESULT_WIDTH * 128);
  /** So many numbers of results are in use: 0 ends a list. */
  #resultsEnd = RESULT_WIDTH;
  /** By the number of a word, the numbers of its type and value; 0: it has none, or none yet. */
  #literals: Int32Array<ArrayBuffer> = new Int32Array(LITERAL_WIDTH * 1024);
  readonly #declarations: (Declaration | null)[] = listOf();
  /** By the number of a declaration; null: none yet. */
  readonly #declared: (Entity | null)[] = listOf();
  /** By the number of a declaration: an identifier that denotes it and has its type; 0: none yet, or only the first node. */
  #models: Int32Array<ArrayBuffer> = new Int32Array(1024);
  readonly #predeclared: PredeclaredEntity[] = listOf();

  constructor(count: number) {
    this.count = count;
    this.#numbers = new Uint16Array(WIDTH * count);
  }

  /** Makes room for a number. */
  #fit(number: number): number {
    if (number > LARGEST && this.#numbers instanceof Uint16Array) this.#numbers = Uint32Array.from(this.#numbers);
    return number;
  }

  #numberOfType(type: Type): number {
    return this.#fit(numberIn(this.#types, type));
  }

  // ---------------------------------------------------------------- expressions

  typeOf(id: ast.NodeId): Type | null {
    return this.#types.items[this.#numbers[WIDTH * id + TYPE]];
  }

  /** Its place takes it as what it is, until `setUsedAs` says otherwise. */
  setType(id: ast.NodeId, type: Type): void {
    const number = this.#numberOfType(type);
    this.#numbers[WIDTH * id + TYPE] = number;
    this.#numbers[WIDTH * id + USED_AS] = number;
  }

  usedAs(id: ast.NodeId): Type | null {
    return this.#types.items[this.#numbers[WIDTH * id + USED_AS]];
  }

  setUsedAs(id: ast.NodeId, type: Type): void {
    const number = this.#numberOfType(type);
    this.#numbers[WIDTH * id + USED_AS] = number;
  }

  /** The value that an expression of this reference type refers to: all of that type can be loaded. */
  setLoaded(id: ast.NodeId, type: ReferenceType): void {
    const number = this.#numbers[WIDTH * id + TYPE];
    const stores = this.#stores;
    while (stores.length <= number) stores.push(0);
    stores[number] = this.#numberOfType(type.store);
    this.setLoadedAgain(id);
  }

  /** As `setLoaded`; false where no expression of its type was loaded before. */
  setLoadedAgain(id: ast.NodeId): boolean {
    const at = WIDTH * id;
    const number = this.#numbers[at + TYPE];
    const stores = this.#stores;
    if (number >= stores.length || stores[number] === 0) return false;
    this.#numbers[at + USED_AS] = stores[number];
    return true;
  }

  constOf(id: ast.NodeId): ConstValue | null {
    return this.#values[this.#numbers[WIDTH * id + VALUE]];
  }

  /** The value of a const-expression as the type that its place takes it; null: not known. */
  valueAsUsed(id: ast.NodeId): ConstValue | null {
    const wanted = this.usedAs(id);
    if (wanted === null) return this.constOf(id);
    const converted = this.valueAs(id, wanted);
    return converted === null || isEvaluationError(converted) ? null : converted;
  }

  /** The value of a const-expression as a type that its own converts to; null: not known. Literals have it made once. */
  valueAs(id: ast.NodeId, type: Type): EvaluationResult | null {
    const number = this.#numbers[WIDTH * id + VALUE];
    const value = this.#values[number];
    if (value === null || value.type === type) return value;
    const known = this.#values[this.#made[MADE_WIDTH * number + CONVERTED]];
    if (known !== null && known.type === type) return known;
    const converted = convertValue(value, type);
    if (!isEvaluationError(converted)) this.#made[MADE_WIDTH * number + CONVERTED] = this.#numberOf(converted);
    return converted;
  }

  /** The value of `-1` or `vec3f(1)`, where that was applied to such an operand before; false: it was not. */
  takeResult(id: ast.NodeId, operand: ast.NodeId): boolean {
    const application = this.#number(id);
    const results = this.#results;
    let at = this.#made[MADE_WIDTH * this.#numbers[WIDTH * operand + VALUE] + RESULTS];
    while (at !== 0 && results[at + APPLIED] !== application) at = results[at + BEFORE];
    if (at === 0) return false;
    this.#numbers[WIDTH * id + VALUE] = results[at + RESULT];
    return true;
  }

  /** As `setConst`, for others with the same operand. */
  setResult(id: ast.NodeId, operand: ast.NodeId, result: ConstValue): void {
    this.setConst(id, result);
    const first = MADE_WIDTH * this.#numbers[WIDTH * operand + VALUE] + RESULTS;
    const at = this.#resultsEnd;
    this.#resultsEnd += RESULT_WIDTH;
    if (this.#resultsEnd > this.#results.length) this.#results = grown(this.#results);
    this.#results[at + APPLIED] = this.#number(id);
    this.#results[at + RESULT] = this.#numbers[WIDTH * id + VALUE];
    this.#results[at + BEFORE] = this.#made[first];
    this.#made[first] = at;
  }

  setConst(id: ast.NodeId, value: ConstValue): void {
    const number = this.#numberOf(value);
    this.#numbers[WIDTH * id + VALUE] = number;
  }

  #numberOf(value: ConstValue): number {
    const number = this.#values.push(value) - 1;
    if (MADE_WIDTH * number === this.#made.length) this.#made = grown(this.#made);
    return this.#fit(number);
  }

  /** Type and value of a literal, where one of its spelling came before; null: none did. */
  takeLiteral(id: ast.NodeId, word: number): Type | null {
    const literals = this.#literals;
    const from = LITERAL_WIDTH * word;
    const type = from < literals.length ? literals[from + TYPE_OF_LITERAL] : 0;
    if (type === 0) return null;
    const numbers = this.#numbers;
    const to = WIDTH * id;
    numbers[to + TYPE] = type;
    numbers[to + USED_AS] = type;
    numbers[to + VALUE] = literals[from + VALUE_OF_LITERAL];
    return this.#types.items[type];
  }

  /** One value for all literals of one spelling. */
  setLiteral(id: ast.NodeId, { word, value }: ast.LiteralExpr, type: ScalarType): void {
    const at = LITERAL_WIDTH * word;
    while (this.#literals.length <= at) this.#literals = grown(this.#literals);
    const literals = this.#literals;
    if (literals[at + TYPE_OF_LITERAL] === 0) {
      literals[at + TYPE_OF_LITERAL] = this.#numberOfType(type);
      literals[at + VALUE_OF_LITERAL] = this.#numberOf(scalarValue(type, value));
    }
    this.#numbers[WIDTH * id + VALUE] = literals[at + VALUE_OF_LITERAL];
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
    return this.#add(declaration, declaration.id);
  }

  #add(declaration: Declaration | null, id: ast.NodeId): number {
    const number = this.#fit(this.#declarations.push(declaration) - 1);
    this.#declared.push(null);
    if (number === this.#models.length) this.#models = grown(this.#models);
    this.#mean(id, DECLARED, number);
    return number;
  }

  addPredeclared(entity: PredeclaredEntity): number {
    return this.#fit(this.#predeclared.push(entity) - 1);
  }

  resolveTo(id: ast.NodeId, declaration: number): void {
    this.#mean(id, DECLARATION, declaration);
  }

  resolveToPredeclared(id: ast.NodeId, predeclared: number): void {
    this.#mean(id, PREDECLARED, predeclared);
  }

  /** Of an identifier: the declaration that it resolves to; null: predeclared, or nothing. */
  declarationOf(id: ast.NodeId): Declaration | null {
    return this.#has(id, DECLARATION) ? this.#declarations[this.#number(id)] : null;
  }

  /** Of an identifier that nothing in the module declares. */
  predeclaredOf(id: ast.NodeId): PredeclaredEntity | null {
    return this.#has(id, PREDECLARED) ? this.#predeclared[this.#number(id)] : null;
  }

  entityOf(id: ast.NodeId): Entity | null {
    return this.#has(id, DECLARATION) ? this.#declared[this.#number(id)] : this.predeclaredOf(id);
  }

  declared(id: ast.NodeId): Entity | null {
    return this.#has(id, DECLARED) ? this.#declared[this.#number(id)] : null;
  }

  /** A declaration of a name that is taken, or of none, gets its number here. */
  declare(id: ast.NodeId, entity: Entity): void {
    const number = this.#has(id, DECLARED) ? this.#number(id) : this.#add(null, id);
    this.#declared[number] = entity;
  }

  /** Others that denote the same can take over type, value and time of this identifier. */
  setModel(id: ast.NodeId): void {
    this.#models[this.#number(id)] = id;
  }

  /** Takes over from an identifier that denotes the same declaration; null: there is none. Gives the type. */
  takeOver(id: ast.NodeId): Type | null {
    const numbers = this.#numbers;
    const to = WIDTH * id;
    const rest = numbers[to + REST];
    if ((rest & DECLARATION) === 0) return null;
    const model = this.#models[numbers[to + NUMBER]];
    if (model === 0) return null;
    const from = WIDTH * model;
    numbers[to + TYPE] = numbers[from + TYPE];
    numbers[to + USED_AS] = numbers[from + TYPE];
    numbers[to + VALUE] = numbers[from + VALUE];
    numbers[to + REST] = rest | (numbers[from + REST] & (TIME | REACHES_OUT));
    return this.#types.items[numbers[from + TYPE]];
  }

  rowOf(id: ast.NodeId): BuiltinRow | null {
    return this.#applicationOf(id)?.row ?? null;
  }

  callOf(id: ast.NodeId): CallInfo | null {
    return this.#applicationOf(id)?.call ?? null;
  }

  #applicationOf(id: ast.NodeId): Application | null {
    return this.#has(id, APPLICATION) ? this.#applications.items[this.#number(id)] : null;
  }

  apply(id: ast.NodeId, application: Application): void {
    this.#mean(id, APPLICATION, this.#fit(this.#applications.numberOf(application)));
  }

  /** All that is known of an operator or a call once its overload is. */
  setOperation(id: ast.NodeId, resolved: Resolved, time: Time): void {
    const application = this.#fit(this.#applications.numberOf(resolved));
    const results = this.#resultTypes;
    while (results.length <= application) results.push(0);
    if (results[application] === 0) results[application] = this.#numberOfType(resolved.result);
    const numbers = this.#numbers;
    const at = WIDTH * id;
    numbers[at + TYPE] = results[application];
    numbers[at + USED_AS] = results[application];
    numbers[at + REST] = time | APPLICATION;
    numbers[at + NUMBER] = application;
  }

  memberOf(id: ast.NodeId): MemberInfo | null {
    return this.#has(id, MEMBER) ? memberNumbered(this.#number(id)) : null;
  }

  /** By the number that `member-infos.ts` gives. */
  setMember(id: ast.NodeId, number: number): void {
    this.#mean(id, MEMBER, this.#fit(number));
  }

  #mean(id: ast.NodeId, kind: number, number: number): void {
    const at = WIDTH * id;
    this.#numbers[at + REST] = (this.#numbers[at + REST] & TIME) | kind;
    this.#numbers[at + NUMBER] = number;
  }

  #has(id: ast.NodeId, kind: number): boolean {
    return (this.#numbers[WIDTH * id + REST] & kind) !== 0;
  }

  #number(id: ast.NodeId): number {
    return this.#numbers[WIDTH * id + NUMBER];
  }

  /**
   * An identifier denotes memory that the function did not declare, or a statement mentions some: by itself, not in its
   * blocks.
   */
  reachesOut(id: ast.NodeId): boolean {
    return this.#has(id, REACHES_OUT);
  }

  /** Once it is known what the node means. */
  setReachesOut(id: ast.NodeId): void {
    this.#numbers[WIDTH * id + REST] |= REACHES_OUT;
  }

  /** A statement calls, by itself, a function of the module or what has to be reached in uniform control flow. */
  acts(id: ast.NodeId): boolean {
    return this.#has(id, ACTS);
  }

  setActs(id: ast.NodeId): void {
    this.#numbers[WIDTH * id + REST] |= ACTS;
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
