/**
 * Checks exactly the contract at the head of `ir.ts`. Every fault is told, none is mended; an engine may take for
 * granted what is checked here.
 */
import { isConcrete, isConstructible } from "../types/predicates.ts";
import { BOOL, type Type, typeName, VOID } from "../types/type.ts";
import type { Block, InstId, Instruction, IrFunction, IrModule, RootId } from "./ir.ts";
import { type InstructionTypes, instructionProblems, isSharedPointer } from "./verify-instruction.ts";
import { blocksOf, operandsOf } from "./walk.ts";

/** A breach of the contract: function and instruction where it shows; null for the module or function itself. */
export interface Violation {
  readonly function: string | null;
  readonly instruction: InstId | null;
  readonly message: string;
}

/** The breaches of the contract; none for a module that any engine can run. */
export function verify(module: IrModule): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (message: string) => violations.push({ function: null, instruction: null, message });
  for (const [index, root] of module.roots.entries()) {
    if (root.id !== index) report(`root ‘${root.name}’ has id ${root.id}, not ${index}`);
    if (root.initializer !== null && root.initializer.type !== root.type) {
      report(`the initial value of ‘${root.name}’ is of type ${typeName(root.initializer.type)}`);
    }
  }
  if (module.functions[module.entryPoint] === undefined) report(`there is no function #${module.entryPoint}`);
  if (module.workgroupSize.some((size) => !Number.isInteger(size) || size < 1)) {
    report("the workgroup size is not made of positive integers");
  }
  for (const [index, made] of module.functions.entries()) {
    if (made.id !== index) report(`function ‘${made.name}’ has id ${made.id}, not ${index}`);
    violations.push(...new FunctionVerifier(module, made).run());
  }
  return violations;
}

/** Where control can go from a block. */
interface Place {
  readonly canBreak: boolean;
  /** The loop that `continue` goes on with. */
  readonly loop: OpenLoop | null;
  /** Inside a continuing block, however deep: no `return`. */
  readonly inContinuing: boolean;
}

interface OpenLoop {
  /** Instructions so far that stand directly in the body. */
  readonly direct: InstId[];
  /** How many of them the first `continue` has passed; null while there was none. */
  passed: number | null;
}

/** One walk over a function: what is defined, what can be seen, where control can go. */
class FunctionVerifier implements InstructionTypes {
  readonly module: IrModule;
  readonly function: IrFunction;
  readonly #violations: Violation[] = [];
  readonly #types = new Map<InstId, Type>();
  readonly #roots = new Map<InstId, RootId | null>();
  readonly #visible = new Set<InstId>();

  constructor(module: IrModule, made: IrFunction) {
    this.module = module;
    this.function = made;
  }

  run(): readonly Violation[] {
    const { params, locals, body } = this.function;
    for (const param of params) {
      this.#define(param.id, param.type, param.root);
      if (isSharedPointer(param.type) && param.root === null) {
        this.#report(null, `the root of the pointer parameter ‘${param.name}’ is not known`);
      }
      if (param.root !== null && !this.#rootFits(param.root, param.type)) {
        this.#report(null, `parameter ‘${param.name}’ does not point into its root`);
      }
      this.#checkType(null, param.type);
    }
    for (const [index, local] of locals.entries()) {
      if (local.id !== index) this.#report(null, `variable ‘${local.name}’ has id ${local.id}, not ${index}`);
      if (!isConstructible(local.type)) {
        this.#report(null, `variable ‘${local.name}’ is of the type ${typeName(local.type)}`);
      }
    }
    this.#block(body, { canBreak: false, loop: null, inContinuing: false });
    return this.#violations;
  }

  typeOf(id: InstId): Type {
    return this.#types.get(id) ?? VOID;
  }

  rootOf(id: InstId): RootId | null {
    return this.#roots.get(id) ?? null;
  }

  #report(inst: Instruction | null, message: string): void {
    this.#violations.push({ function: this.function.name, instruction: inst?.id ?? null, message });
  }

  #define(id: InstId, type: Type, root: RootId | null): void {
    if (this.#types.has(id)) this.#report(null, `%${id} is defined twice`);
    if (!(Number.isInteger(id) && id >= 0 && id < this.function.instructionCount)) {
      this.#report(null, `%${id} is not below the number of instructions`);
    }
    this.#types.set(id, type);
    this.#roots.set(id, root);
    this.#visible.add(id);
  }

  #rootFits(root: RootId, type: Type): boolean {
    return type.kind === "pointer" && this.module.roots[root]?.space === type.space;
  }

  /** The instructions in order; what they define is visible until the end of the block and goes to `defined`. */
  #block(block: Block, place: Place, defined: InstId[] = [], atEnd: () => void = () => {}): void {
    let ended = false;
    for (const inst of block.instructions) {
      if (ended) this.#report(inst, `‘${inst.kind}’ follows the end of its block`);
      ended ||= inst.kind === "break" || inst.kind === "continue" || inst.kind === "return";
      this.#instruction(inst, place);
      this.#define(inst.id, inst.type, rootOfResult(inst));
      defined.push(inst.id);
    }
    atEnd();
    for (const id of defined) this.#visible.delete(id);
  }

  #instruction(inst: Instruction, place: Place): void {
    if (!(inst.span.start >= 0 && inst.span.start <= inst.span.end)) this.#report(inst, "it has no span");
    const operands = operandsOf(inst);
    for (const id of operands) this.#use(inst, id);
    this.#checkType(inst, inst.type);
    if (operands.every((id) => this.#types.has(id))) {
      for (const problem of instructionProblems(inst, this)) this.#report(inst, problem);
    }
    this.#control(inst, place);
  }

  /** An operand is defined, and before the instruction in its block or in one around it. */
  #use(inst: Instruction, id: InstId): void {
    if (!this.#visible.has(id)) this.#report(inst, `%${id} cannot be seen from ‘${inst.kind}’`);
  }

  /** spec: #constructible-types. Values of abstract types do not exist when a shader runs. */
  #checkType(inst: Instruction | null, type: Type): void {
    const known = type === VOID || type.kind === "pointer" || (isConcrete(type) && isConstructible(type));
    if (!known) this.#report(inst, `a value of the type ${typeName(type)}`);
  }

  /** spec: #break-statement, #continue-statement, #continuing-statement */
  #control(inst: Instruction, place: Place): void {
    switch (inst.kind) {
      case "if":
      case "switch":
        for (const block of blocksOf(inst)) {
          this.#block(block, inst.kind === "switch" ? { ...place, canBreak: true } : place);
        }
        break;
      case "loop":
        this.#loop(inst, place);
        break;
      case "break":
        if (!place.canBreak) this.#report(inst, "‘break’ with nothing to leave");
        break;
      case "continue":
        if (place.loop === null) this.#report(inst, "‘continue’ with no loop to go on with");
        else place.loop.passed ??= place.loop.direct.length;
        break;
      case "return":
        if (place.inContinuing) this.#report(inst, "‘return’ in a continuing block");
        break;
    }
  }

  /** The continuing block stands in no loop of its own: what it may see of the body is put in sight and out again. */
  #loop(inst: Extract<Instruction, { kind: "loop" }>, place: Place): void {
    const loop: OpenLoop = { direct: [], passed: null };
    this.#block(inst.body, { canBreak: true, loop, inContinuing: place.inContinuing }, loop.direct);
    const seen = loop.direct.slice(0, loop.passed ?? loop.direct.length);
    for (const id of seen) this.#visible.add(id);
    this.#block(inst.continuing, { canBreak: false, loop: null, inContinuing: true }, [], () => {
      if (inst.breakIf === null) return;
      this.#use(inst, inst.breakIf);
      if (this.typeOf(inst.breakIf) !== BOOL) this.#report(inst, "‘break if’ on what is no bool");
    });
    for (const id of seen) this.#visible.delete(id);
  }
}

function rootOfResult(inst: Instruction): RootId | null {
  return inst.kind === "variable" || inst.kind === "access" ? inst.root : null;
}
