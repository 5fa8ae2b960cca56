/**
 * One walk over all functions gathers what the rules of advice look at, so that each rule touches only the few places
 * that concern it. Facts stand in tables by node id; nothing is judged here.
 */
import { BUILTIN_NAMES } from "../../builtins/resolve.ts";
import type * as ast from "../../syntax/ast.ts";
import { type Behaviors, NEXT } from "../behavior.ts";
import type { Entity, FunctionInfo, Program, VariableInfo } from "../program.ts";
import { type Root, RootIdentifiers } from "../root-identifier.ts";

export type Node = ast.Expr | ast.Statement;
export type Loop = ast.LoopStatement | ast.ForStatement | ast.WhileStatement;

/** A call of one of the atomic builtin functions. spec: #atomic-builtin-functions */
export interface AtomicCall {
  readonly call: ast.CallExpr;
  readonly name: string;
  /** The variable or pointer parameter that the pointer comes from. */
  readonly root: Root | null;
}

/** Memory that other invocations see change: bits of `FunctionSurvey.touches`. */
export const WORKGROUP = 1;
export const STORAGE = 2;

export interface FunctionSurvey {
  readonly info: FunctionInfo;
  /** Shared memory that it or what it calls mentions, or is given a pointer to. */
  touches: number;
  /** How it mentions shared variables itself: `READ` and `WRITTEN`, atomic accesses and addresses count as reads. */
  readonly shared: Map<VariableInfo, number>;
  /** Some barrier stands in it or in what it calls. */
  hasBarrier: boolean;
  readonly atomics: AtomicCall[];
  /** Calls of synchronisation functions, in the order of the text. spec: #sync-builtin-functions */
  readonly barriers: ast.CallExpr[];
  readonly selects: ast.CallExpr[];
  /** `a & b`, `a &= b` */
  readonly masks: (ast.BinaryExpr | ast.AssignStatement)[];
  readonly loops: Loop[];
  readonly locals: ast.LocalDecl[];
  readonly calls: { readonly call: ast.CallExpr; readonly callee: FunctionInfo }[];
}

/** Where a variable of a function may get another value: assigned, or its address taken. */
export interface Write {
  readonly node: Node;
  /** The `for` whose update it is: it comes behind the body. */
  readonly updateOf: ast.ForStatement | null;
}

/** How a declaration is mentioned: bits of `Survey.mentioned`. */
export const READ = 1;
export const WRITTEN = 2;

export interface Survey {
  readonly program: Program;
  readonly behaviors: Behaviors;
  readonly roots: RootIdentifiers;
  /** By node id: the expression or statement around it; null at the top of a function. */
  readonly parentOf: readonly (Node | null)[];
  /** By node id of a declaration. */
  readonly mentioned: Uint8Array;
  readonly functions: readonly FunctionSurvey[];
  readonly surveyOf: ReadonlyMap<FunctionInfo, FunctionSurvey>;
  /** By node id of the declaration of a variable in a function. */
  readonly writesOf: ReadonlyMap<ast.NodeId, readonly Write[]>;
  /** By node id of a block: its statements that control need not get past; absent where there are none. */
  readonly leaversOf: ReadonlyMap<ast.NodeId, readonly ast.Statement[]>;
  /** First statement that is never reached, with the last of its block, and the one that control leaves by. */
  readonly unreachable: readonly {
    readonly first: ast.Statement;
    readonly last: ast.Statement;
    readonly by: ast.Statement;
  }[];
}

export function survey(program: Program, behaviors: Behaviors): Survey {
  const walk = new Walk(program, behaviors);
  for (const declaration of program.module.declarations) walk.moduleDeclaration(declaration);
  for (const info of program.functions) walk.function(info);
  const { parentOf, mentioned, surveyOf, leaversOf, writesOf, unreachable, roots } = walk;
  return {
    program,
    behaviors,
    roots,
    parentOf,
    mentioned,
    functions: [...surveyOf.values()],
    surveyOf,
    leaversOf,
    writesOf,
    unreachable,
  };
}

/** Memory that other invocations see change. */
export function isShared(variable: VariableInfo): boolean {
  return sharedBit(variable) !== 0;
}

function sharedBit({ space, access }: Pick<VariableInfo, "space" | "access">): number {
  if (space === "workgroup") return WORKGROUP;
  return space === "storage" && access === "read_write" ? STORAGE : 0;
}

class Walk {
  readonly program: Program;
  readonly behaviors: Behaviors;
  readonly roots: RootIdentifiers;
  readonly parentOf: (Node | null)[];
  readonly mentioned: Uint8Array;
  readonly surveyOf = new Map<FunctionInfo, FunctionSurvey>();
  readonly leaversOf = new Map<ast.NodeId, ast.Statement[]>();
  readonly writesOf = new Map<ast.NodeId, Write[]>();
  readonly unreachable: { first: ast.Statement; last: ast.Statement; by: ast.Statement }[] = [];
  #current: FunctionSurvey | null = null;
  /** The `for` whose update is being walked. */
  #updateOf: ast.ForStatement | null = null;

  constructor(program: Program, behaviors: Behaviors) {
    this.program = program;
    this.behaviors = behaviors;
    this.roots = new RootIdentifiers(program);
    this.parentOf = new Array<Node | null>(program.module.nodeCount).fill(null);
    this.mentioned = new Uint8Array(program.module.nodeCount);
  }

  moduleDeclaration(node: ast.GlobalDecl): void {
    switch (node.kind) {
      case "var":
      case "const":
      case "override":
        if (node.type !== null) this.#expression(node.type, null);
        if (node.initializer !== null) this.#expression(node.initializer, null);
        this.#attributes(node.attributes);
        return;
      case "const-assert":
        this.#expression(node.condition, null);
        return;
      case "alias":
        this.#expression(node.type, null);
        return;
      case "struct":
        for (const member of node.members) {
          this.#expression(member.type, null);
          this.#attributes(member.attributes);
        }
        return;
      case "function":
        this.#attributes(node.attributes);
        for (const param of node.params) this.#expression(param.type, null);
        if (node.returnType !== null) this.#expression(node.returnType, null);
        return;
      case "error-declaration":
        return;
      default:
        node satisfies never;
    }
  }

  #attributes(list: readonly ast.Attribute[]): void {
    for (const { args } of list) if (args !== null) for (const arg of args) this.#expression(arg, null);
  }

  function(info: FunctionInfo): void {
    let touches = 0;
    for (const { type } of info.params) if (type.kind === "pointer") touches |= sharedBit(type);
    this.#current = {
      info,
      touches,
      shared: new Map(),
      hasBarrier: false,
      atomics: [],
      barriers: [],
      selects: [],
      masks: [],
      loops: [],
      locals: [],
      calls: [],
    };
    this.surveyOf.set(info, this.#current);
    this.#statement(info.declaration.body, null);
    this.#current = null;
  }

  // ---------------------------------------------------------------- statements

  #statement(node: ast.Statement, parent: Node | null): void {
    this.parentOf[node.id] = parent;
    switch (node.kind) {
      case "compound":
        this.#sequence(node);
        return;
      case "var":
      case "let":
      case "const":
        this.#current!.locals.push(node);
        if (node.type !== null) this.#expression(node.type, node);
        if (node.initializer !== null) this.#expression(node.initializer, node);
        return;
      case "const-assert":
        this.#expression(node.condition, node);
        return;
      case "assign":
        this.#target(node.left, node, node.operator === null ? WRITTEN : READ | WRITTEN);
        this.#expression(node.right, node);
        if (node.operator === "&") this.#current!.masks.push(node);
        return;
      case "phony-assign":
        this.#expression(node.value, node);
        return;
      case "increment":
        this.#target(node.left, node, READ | WRITTEN);
        return;
      case "call-statement":
        this.#expression(node.call, node);
        return;
      case "if":
        this.#if(node);
        return;
      case "switch":
        this.#expression(node.selector, node);
        for (const clause of node.clauses) {
          for (const selector of clause.selectors) if (selector.kind !== "default") this.#expression(selector, node);
          this.#statement(clause.body, node);
        }
        return;
      case "loop":
      case "for":
      case "while":
        this.#loop(node);
        return;
      case "return":
        if (node.value !== null) this.#expression(node.value, node);
        return;
      case "break":
      case "continue":
      case "discard":
      case "empty":
      case "error-statement":
        return;
      default:
        node satisfies never;
    }
  }

  #sequence(node: ast.CompoundStatement): void {
    const { statements } = node;
    for (let i = 0; i < statements.length; i++) {
      this.#statement(statements[i], node);
      if (this.behaviors[statements[i].id] !== NEXT) this.#leaver(node, statements[i]);
      if ((this.behaviors[statements[i].id] & NEXT) !== 0 || i + 1 === statements.length) continue;
      const rest = statements.slice(i + 1).filter((part) => part.kind !== "empty");
      if (rest.length > 0) this.unreachable.push({ first: rest[0], last: rest[rest.length - 1], by: statements[i] });
      // The rest is walked for what it mentions; one message is enough.
      for (const part of statements.slice(i + 1)) this.#statement(part, node);
      return;
    }
  }

  #leaver(block: ast.CompoundStatement, statement: ast.Statement): void {
    const known = this.leaversOf.get(block.id);
    if (known === undefined) this.leaversOf.set(block.id, [statement]);
    else known.push(statement);
  }

  /** A chain of `else if` may be long: by a loop, not by recursion. */
  #if(first: ast.IfStatement): void {
    let node = first;
    for (;;) {
      this.#expression(node.condition, node);
      this.#statement(node.then, node);
      if (node.otherwise === null) return;
      this.parentOf[node.otherwise.id] = node;
      if (node.otherwise.kind === "compound") {
        this.#statement(node.otherwise, node);
        return;
      }
      node = node.otherwise;
    }
  }

  #loop(node: Loop): void {
    this.#current!.loops.push(node);
    if (node.kind === "for") {
      if (node.initializer !== null) this.#statement(node.initializer, node);
      if (node.condition !== null) this.#expression(node.condition, node);
      this.#statement(node.body, node);
      if (node.update === null) return;
      this.#updateOf = node;
      this.#statement(node.update, node);
      this.#updateOf = null;
      return;
    }
    if (node.kind === "while") this.#expression(node.condition, node);
    this.#statement(node.body, node);
    if (node.kind !== "loop" || node.continuing === null) return;
    this.#statement(node.continuing.body, node);
    if (node.continuing.breakIf !== null) this.#expression(node.continuing.breakIf, node);
  }

  // ---------------------------------------------------------------- expressions

  /** The left side of an assignment: its root is written, what stands in brackets is read. */
  #target(node: ast.Expr, parent: Node, use: number): void {
    this.parentOf[node.id] = parent;
    switch (node.kind) {
      case "identifier": {
        const entity = this.program.entityOf[node.id];
        if (entity === null || !("declaration" in entity)) return;
        this.mentioned[entity.declaration.id] |= WRITTEN;
        this.#touch(entity, use);
        this.#write(entity, node);
        return;
      }
      case "member":
        // Through a pointer, the pointer is read.
        if (this.#isPointer(node.object)) this.#expression(node.object, node);
        else this.#target(node.object, node, use);
        return;
      case "index":
        if (this.#isPointer(node.object)) this.#expression(node.object, node);
        else this.#target(node.object, node, use);
        this.#expression(node.index, node);
        return;
      default:
        this.#expression(node, parent);
    }
  }

  #isPointer(node: ast.Expr): boolean {
    return this.program.typeOf[node.id]?.kind === "pointer";
  }

  #expression(root: ast.Expr, above: Node | null): void {
    let node = root;
    let parent = above;
    // Chains of operators hang on their left side: down there by a loop, not by recursion.
    for (;;) {
      this.parentOf[node.id] = parent;
      switch (node.kind) {
        case "identifier":
          this.#name(node.id, node);
          return;
        case "call":
          this.#call(node);
          return;
        case "binary":
          if (node.operator === "&") this.#current?.masks.push(node);
          this.#expression(node.right, node);
          parent = node;
          node = node.left;
          break;
        case "index":
          this.#expression(node.index, node);
          parent = node;
          node = node.object;
          break;
        case "member":
          parent = node;
          node = node.object;
          break;
        case "unary":
          if (node.operator === "&") this.#address(node);
          parent = node;
          node = node.operand;
          break;
        case "literal":
        case "error-expression":
          return;
        default:
          node satisfies never;
          return;
      }
    }
  }

  /** Of an identifier, or of the callee of a call. */
  #name(id: ast.NodeId, node: ast.IdentifierExpr | ast.CallExpr): void {
    if (node.template !== null) for (const part of node.template) this.#expression(part, node);
    const entity = this.program.entityOf[id];
    if (entity === null || !("declaration" in entity)) return;
    this.mentioned[entity.declaration.id] |= READ;
    this.#touch(entity, READ);
  }

  #touch(entity: Entity, use: number): void {
    const fn = this.#current;
    const bit = fn !== null && entity.kind === "variable" ? sharedBit(entity) : 0;
    if (bit === 0) return;
    fn!.touches |= bit;
    const { shared } = fn!;
    const before = shared.get(entity as VariableInfo) ?? 0;
    if ((before & use) !== use) shared.set(entity as VariableInfo, before | use);
  }

  #write(entity: Entity, node: Node): void {
    if (entity.kind !== "variable" || entity.scope !== "function") return;
    const known = this.writesOf.get(entity.declaration.id);
    const write = { node, updateOf: this.#updateOf };
    if (known === undefined) this.writesOf.set(entity.declaration.id, [write]);
    else known.push(write);
  }

  #address(node: ast.UnaryExpr): void {
    const root = this.roots.of(node.operand);
    if (root?.kind === "variable") this.#write(root, node);
  }

  #call(node: ast.CallExpr): void {
    const { args } = node;
    this.#name(node.calleeId, node);
    for (const arg of args) this.#expression(arg, node);
    const meaning = this.program.callOf[node.id];
    const fn = this.#current;
    if (fn === null || meaning === null || meaning.kind === "construct") return;
    if (meaning.kind === "function") this.#functionCall(fn, node, meaning.function);
    else {
      const interest = INTERESTING.get(meaning.name);
      if (interest === "select") fn.selects.push(node);
      else if (interest === "atomic") fn.atomics.push({ call: node, name: meaning.name, root: this.roots.of(args[0]) });
      else if (interest === "synchronisation") {
        fn.barriers.push(node);
        fn.hasBarrier = true;
      }
    }
  }

  /** Callees come before their callers: what they touch is known. */
  #functionCall(fn: FunctionSurvey, call: ast.CallExpr, callee: FunctionInfo): void {
    fn.calls.push({ call, callee });
    const inside = this.surveyOf.get(callee);
    if (inside === undefined) return;
    fn.touches |= inside.touches;
    fn.hasBarrier ||= inside.hasBarrier;
  }
}

/** Builtin functions that some rule looks at, by what they are to it. */
const INTERESTING: ReadonlyMap<string, "select" | "atomic" | "synchronisation"> = new Map([
  ["select", "select"],
  ...BUILTIN_NAMES.filter((name) => name.startsWith("atomic")).map((name) => [name, "atomic"] as const),
  ...["storageBarrier", "textureBarrier", "workgroupBarrier", "workgroupUniformLoad"].map(
    (name) => [name, "synchronisation"] as const,
  ),
]);
