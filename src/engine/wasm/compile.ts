/**
 * From a module of the intermediate representation to WebAssembly: one function `run` that does some workgroups of a
 * dispatch, over memory that the host lays out. Pure: no files, no clock, no compilation by the host.
 */

import "../../diagnostics/catalogue-beyond.ts";
import { zeroValue } from "../../builtins/evaluate-construct.ts";
import { phrase } from "../../diagnostics/diagnostic.ts";
import type { IrModule, RootId } from "../../ir/ir.ts";
import { UnsupportedError } from "../../ir/unsupported.ts";
import { eachInstruction } from "../../ir/walk.ts";
import { layoutOf } from "../../layout/layout.ts";
import { pointerType, VOID } from "../../types/type.ts";
import { chooseInstead } from "./choices.ts";
import { ModuleBuilder } from "./encoder.ts";
import { ConstantPool, type Environment, Globals, type LoopPlace, ScratchLayout } from "./environment.ts";
import { emitFunction, operationsOf } from "./function-code.ts";
import { type InlinedModule, inlineModule, reachableFunctions } from "./inline.ts";
import { emitKernel, RUN_PARAMETERS } from "./kernel-code.ts";
import { Library } from "./library.ts";
import { inLockstep } from "./lockstep.ts";
import { hoistInvariants } from "./loop-invariants.ts";
import { outlined } from "./outline.ts";
import { type ParameterBlock, parameterBlock } from "./parameter-block.ts";
import { hasStrayBarrier, planPhases } from "./phases.ts";
import { memoryVariables, type Pointers, resolvePointers } from "./pointers.ts";
import { isBound } from "./root-kinds.ts";
import type { Simd } from "./simd.ts";
import { findSkeleton, meetAgain, type Reconverged } from "./skeleton.ts";
import type { Code, Node, SharedPrivate, VariableId } from "./tree.ts";
import { findUniformity } from "./uniformity.ts";
import { constantVariables, countUses, neededScalars } from "./usage.ts";

export interface CompileOptions {
  /** The memory is declared as one that workers share. */
  readonly sharedMemory: boolean;
  /** Atomic functions on storage are real atomics. Left out: where the memory is shared. */
  readonly atomics?: boolean;
  /** Memory that one variable may write is bound to another one too. Left out: no. */
  readonly aliases?: boolean;
  /** Functions with more instructions are called, not inlined, unless they hold a barrier. Left out: what pays. */
  readonly longestInlined?: number;
  /** Functions with more instructions are divided. Left out: what pays. */
  readonly longestFunction?: number;
  /** Whether phases run four invocations at once. Left out: where it pays. */
  readonly simd?: Simd;
  /** There may be more than `MOST_ALONG_AXIS` workgroups along an axis. Left out: no. */
  readonly largeGrid?: boolean;
  /** See `DispatchRequest.tallies`. Left out: none. */
  readonly tallies?: readonly RootId[];
}

export interface CompiledKernel {
  /** A module that imports `env.memory` and exports `run`, see `RunKernel`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sharedMemory: boolean;
  readonly parameterBlock: ParameterBlock;
  /** Memory that each worker needs for itself. */
  readonly scratchBytes: number;
  /** To be put into memory once, 16-aligned; may be empty. */
  readonly constants: Uint8Array;
  /** What a stopped kernel names by index. */
  readonly loops: readonly LoopPlace[];
  /** A binding that is smaller than this needs the interpreter. */
  readonly leastBytes: ReadonlyMap<RootId, number>;
}

/**
 * What `run` is to the host: it gets the address of the parameter block. When it is stopped it traps, so that it throws
 * `WebAssembly.RuntimeError`; the parameter block then says where.
 */
export type RunKernel = (parameters: number, firstWorkgroup: number, workgroupCount: number) => number;

const SUBGROUP_BUILTINS: ReadonlySet<string> = new Set([
  "subgroup_size",
  "subgroup_invocation_id",
  "subgroup_id",
  "num_subgroups",
]);

const SUBGROUPS = "it uses subgroups";
const TOO_LARGE = "its functions with barriers are too large when inlined";

/** Why a module can only be interpreted; null if it need not be. */
export function whyInterpreted(module: IrModule): string | null {
  const prepared = prepare(module, {});
  return prepared === null ? TOO_LARGE : prepared.problem;
}

interface Prepared {
  /** In pieces that are not too long. */
  readonly module: IrModule;
  readonly inlined: InlinedModule;
  readonly kernel: Code;
  readonly code: Reconverged;
  readonly problem: string | null;
}

interface Asked {
  readonly given: IrModule;
  /** The options that matter. */
  readonly how: string;
  readonly prepared: Prepared | null;
}

/** Who asks whether a module can be compiled compiles it next. It is much, and kept no longer than memory is there. */
let lastAsked: WeakRef<Asked> | null = null;

function prepare(given: IrModule, options: Partial<CompileOptions>): Prepared | null {
  const { longestFunction = null, longestInlined = null, aliases = false, largeGrid = false } = options;
  const how = JSON.stringify([longestFunction, longestInlined, aliases, largeGrid]);
  const last = lastAsked?.deref();
  if (last?.given === given && last.how === how) return last.prepared;
  const prepared = prepareAnew(given, options);
  lastAsked = new WeakRef({ given, how, prepared });
  return prepared;
}

function prepareAnew(given: IrModule, options: Partial<CompileOptions>): Prepared | null {
  const module = outlined(given, options.longestFunction);
  const inlined = inlineModule(module, options.longestInlined);
  if (inlined === null) return null;
  const whole = withPrivates(inlined);
  const simple = simplified(whole, module, options, resolvePointers(whole));
  const shared = new Set([...inlined.sharedPrivates.values()].map(({ variable }) => variable));
  const kernel = options.largeGrid === true ? simple : inLockstep(simple, module, shared);
  const code = meetAgain(kernel, findSkeleton(kernel));
  const usesSubgroups = kernel.parameters.some(({ builtin }) => builtin !== null && SUBGROUP_BUILTINS.has(builtin));
  let problem = usesSubgroups || hasSubgroups(module) ? SUBGROUPS : null;
  if (problem === null && hasStrayBarrier(code)) problem = "a barrier stands in control flow that is not uniform";
  return { module, inlined, kernel, code, problem };
}

function hasSubgroups(module: IrModule): boolean {
  let found = false;
  for (const id of reachableFunctions(module)) {
    eachInstruction(module.functions[id].body, (inst) => {
      found ||= inst.kind === "subgroup" || (inst.kind === "barrier" && inst.barrier === "subgroup");
    });
  }
  return found;
}

/** `pointers`: of the code as it is and as it becomes. */
function simplified(code: Code, module: IrModule, options: Partial<CompileOptions>, pointers: Pointers): Code {
  return hoistInvariants(chooseInstead(code, pointers), module, options.aliases === true, pointers);
}

/** Private variables get their initial values first. spec: #var-decls */
function withPrivates({ kernel, sharedPrivates, ownPrivates }: InlinedModule): Code {
  const types = [...kernel.types];
  const before: Node[] = [];
  const { span } = kernel;
  const initialize = ({ variable, type, initializer }: SharedPrivate): void => {
    const pointer = types.push(pointerType("function", type, "read_write")) - 1;
    const value = types.push(type) - 1;
    const id = types.push(VOID) - 1;
    before.push({ kind: "local", id: pointer, type: types[pointer], span, local: variable });
    before.push({ kind: "const", id: value, type, span, value: initializer ?? zeroValue(type) });
    before.push({ kind: "store", id, type: VOID, span, pointer, space: "function", root: null, size: 0, value });
  };
  for (const variable of [...sharedPrivates.values(), ...ownPrivates]) initialize(variable);
  return { ...kernel, types, nodes: [...before, ...kernel.nodes] };
}

/** @throws UnsupportedError for a module that `whyInterpreted` has a reason for */
export function compileKernel(module: IrModule, options: CompileOptions): CompiledKernel {
  const kernel = tryToCompile(module, options);
  if (kernel !== null) return kernel;
  const reason = phrase("interpreted", { reason: String(whyInterpreted(module)) });
  throw new UnsupportedError(reason, module.functions[module.entryPoint].span);
}

/** null: `whyInterpreted` has a reason why it cannot be compiled. */
export function tryToCompile(given: IrModule, options: CompileOptions): CompiledKernel | null {
  const prepared = prepare(given, options);
  if (prepared === null || prepared.problem !== null) return null;
  const { module } = prepared;
  const builder = new ModuleBuilder(options.sharedMemory);
  const scratch = new ScratchLayout();
  const workgroupOffsets = new Map<RootId, number>();
  for (const { id, space, type } of module.roots) {
    if (space === "workgroup") workgroupOffsets.set(id, scratch.allocate(layoutOf(type).size));
  }
  const workgroupBytes = scratch.allocate(0, 4);
  const bound = module.roots.filter(isBound);
  const block = parameterBlock(bound.map(({ id }) => id));
  const run = builder.declare("run", { params: RUN_PARAMETERS, results: ["i32"] });
  builder.export("run", run);
  const environment: Environment = {
    module,
    sharedMemory: options.sharedMemory,
    atomics: options.atomics ?? options.sharedMemory,
    builder,
    library: new Library(builder),
    scratch,
    constants: new ConstantPool(),
    loops: [],
    functions: new Map(),
    workgroupOffsets,
    globals: new Globals(builder),
    tallies: new Set(options.tallies),
  };
  const { functions } = prepared.inlined;
  for (const [id, make] of functions) {
    const fn = module.functions[id];
    const code = make();
    const pointers = resolvePointers(
      code,
      fn.params.map(({ root }) => root),
    );
    emitFunction(environment, fn, simplified(code, module, options, pointers), pointers);
  }
  builder.define(run, emitRun(environment, prepared, options, block, workgroupBytes));
  return {
    bytes: builder.finish(),
    sharedMemory: options.sharedMemory,
    parameterBlock: block,
    scratchBytes: scratch.allocate(0),
    constants: environment.constants.bytes,
    loops: environment.loops,
    leastBytes: new Map(bound.map(({ id, type }) => [id, layoutOf(type).size])),
  };
}

function emitRun(
  environment: Environment,
  { inlined, kernel, code }: Prepared,
  options: CompileOptions,
  block: ParameterBlock,
  workgroupBytes: number,
) {
  const { module } = environment;
  const rewritten: Code = { ...kernel, nodes: code.nodes, variables: code.variables, types: code.types };
  const pointers = resolvePointers(rewritten);
  const shared = new Map([...inlined.sharedPrivates].map(([root, { variable }]) => [root, variable] as const));
  const inMemory = new Set<VariableId>([...memoryVariables(rewritten, pointers), ...shared.values()]);
  const own = new Set([...inMemory].filter((id) => ![...shared.values()].includes(id)));
  const constants = constantVariables(code, pointers, own);
  const uses = countUses(code.nodes, pointers, code.types.length);
  const uniformity = findUniformity({
    module,
    kernel,
    code,
    pointers,
    memoryVariables: inMemory,
    aliases: options.aliases === true,
  });
  const plan = planPhases({
    code,
    parameters: kernel.parameters,
    pointers,
    uniformity,
    uses,
    constants,
    sharedPrivates: new Set(shared.values()),
  });
  const usedRoots = new Set<RootId>();
  for (const pointer of pointers) if (pointer?.base.kind === "root") usedRoots.add(pointer.base.root);
  return emitKernel({
    environment,
    types: code.types,
    variables: code.variables,
    operations: operationsOf(code.nodes),
    pointers,
    uses,
    needed: neededScalars(code),
    memoryVariables: inMemory,
    constants,
    parameters: RUN_PARAMETERS,
    kernelParameters: kernel.parameters,
    label: kernel.label,
    plan,
    uniformity,
    roots: block.roots,
    usedRoots,
    sharedPrivates: shared,
    workgroupBytes,
    aliases: options.aliases === true,
    simd: options.simd ?? "where it pays",
  });
}
