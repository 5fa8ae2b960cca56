/** Random helper functions: values and pointers in, perhaps a value out. */
import type { Expressions } from "./expressions.ts";
import { writtenType } from "./places.ts";
import { type ModuleState, type Parameter, pointerVariable, Scope, variable } from "./scope.ts";
import type { SharedMemory } from "./shared-memory.ts";
import type { Flow, Statements } from "./statements.ts";
import { block, type Part, type Statement, statement, statementText, wordsOf } from "./tree.ts";
import { array, BOOL, I32, SCALARS, type Type, U32 } from "./types.ts";

export class Functions {
  readonly #module: ModuleState;
  readonly #expressions: Expressions;
  readonly #statements: Statements;

  constructor(module: ModuleState, expressions: Expressions, statements: Statements) {
    this.#module = module;
    this.#expressions = expressions;
    this.#statements = statements;
  }

  /** Adds a function; one with barriers if there is shared memory for it. */
  add(size: number, shared: SharedMemory | null): void {
    const { choice } = this.#module;
    const name = this.#module.fresh("f");
    const parameters = choice.list(0, 3, () => this.#parameter(shared !== null));
    const returns = this.#returns(shared !== null);
    const scope = new Scope(this.#module.scope, shared);
    for (const each of parameters) scope.declare(parameterVariable(each));
    this.#module.cost = 5;
    const flow: Flow = { times: 1, nesting: 1, breaks: false, continues: false, returns: { type: returns }, shared };
    const body = this.#statements.body(scope, flow, size);
    if (shared !== null) body.push(...shared.meet());
    if (returns !== null) {
      const value = this.#expressions.stored(returns, this.#statements.site(scope, flow), 4);
      body.push(statement("return", ["return ", value, ";"], { isNeeded: true }));
    }
    const mustUse = returns !== null && choice.once(6);
    const head = this.#head(name, parameters, returns);
    const parts = [mustUse ? "@must_use " : "", ...head, block(body)];
    const declared = statement("function", parts, { declares: name });
    this.#module.declarations.push(declared);
    this.#module.functions.push({
      name,
      parameters,
      returns,
      mustUse,
      touches: this.#touches(declared),
      cost: this.#module.cost,
      hasBarrier: shared !== null,
    });
  }

  #returns(hasBarrier: boolean): Type | null {
    const { choice } = this.#module;
    if (choice.once(4)) return null;
    return hasBarrier ? choice.pick([BOOL, I32, U32]) : this.#statements.anyType();
  }

  #parameter(hasBarrier: boolean): Parameter {
    const { choice } = this.#module;
    const name = this.#module.fresh("a");
    if (hasBarrier) {
      const isUniform = choice.once(2);
      return { name, type: isUniform ? choice.pick([I32, U32, BOOL]) : choice.pick(SCALARS), pointer: null, isUniform };
    }
    if (!choice.once(3)) return { name, type: this.#statements.anyType(), pointer: null, isUniform: false };
    const hasShared = this.#module.options.level === "b";
    const pointer = choice.weighted<"function" | "private" | "workgroup">(
      [3, "function"],
      [2, "private"],
      [hasShared ? 2 : 0, "workgroup"],
    );
    const type = choice.pick<Type>([
      I32,
      U32,
      array(I32, 4),
      array(U32, 8),
      ...this.#module.structs,
      this.#statements.anyType(),
    ]);
    return { name, type, pointer, isUniform: false };
  }

  #head(name: string, parameters: readonly Parameter[], returns: Type | null): readonly Part[] {
    const { choice } = this.#module;
    const list = parameters.map(({ name, type, pointer }) => {
      const written = writtenType(choice, type);
      return `${name}: ${pointer === null ? written : `ptr<${pointer}, ${written}>`}`;
    });
    const result = returns === null ? " " : ` -> ${writtenType(choice, returns)} `;
    return [`fn ${name}(${list.join(", ")}${list.length > 0 && choice.once(8) ? "," : ""})${result}`];
  }

  /** Module variables that the function or one that it calls mentions. */
  #touches(declared: Statement): ReadonlySet<string> {
    const words = new Set(wordsOf(statementText(declared)));
    const found = new Set<string>();
    for (const { name } of this.#module.scope.own) if (words.has(name)) found.add(name);
    for (const { name, touches } of this.#module.functions) {
      if (words.has(name)) for (const each of touches) found.add(each);
    }
    return found;
  }
}

function parameterVariable({ name, type, pointer, isUniform }: Parameter) {
  if (pointer === null) return variable(name, type, "value", { isUniform });
  return pointerVariable(name, type, pointer, { hasAddress: true });
}
