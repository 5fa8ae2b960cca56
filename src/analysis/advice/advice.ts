/**
 * Warnings and advice beyond the rules of WGSL: code that has no effect, atomics and barriers that do less than they seem
 * to, layouts that surprise. One function per code, each with few places to look at; none of them changes what is legal.
 * Runs on a program without errors.
 */
import type { DiagnosticList } from "../../diagnostics/diagnostic.ts";
import type { Behaviors } from "../behavior.ts";
import type { Program } from "../program.ts";
import { Advice } from "./advice-context.ts";
import { appendWithoutGuard, countUnsaturated } from "./append.ts";
import { barrierAcrossWorkgroups, barrierKind, repeatedBarrier } from "./barriers.ts";
import { contendedAddress, contendedExchange } from "./contention.ts";
import { checkThenAct, takeAndPutBack, uncheckedSubtraction } from "./counters.ts";
import { blindWrite, exchangeNotRetried, exchangeResultIgnored, oldValueAsNew, staleExchange } from "./exchange.ts";
import { floatBitsOrder, maskNotPowerOfTwo, selectEvaluatesBoth } from "./float-bits.ts";
import {
  misleadingShadow,
  neverRead,
  shadowedBuiltin,
  unreachableCode,
  unusedFunction,
  unusedLocal,
  unusedModuleVariable,
  unusedParameter,
} from "./general.ts";
import { structPadding, vec3ArrayStride, vec3TuckedScalar } from "./layout.ts";
import { aboveDefaultLimits } from "./limits.ts";
import { missingBarrier } from "./missing-barrier.ts";
import { spinOnMemory } from "./spin.ts";
import { type FunctionSurvey, survey } from "./survey.ts";

const MODULE_RULES: readonly ((advice: Advice) => void)[] = [
  unreachableCode,
  unusedFunction,
  unusedModuleVariable,
  countUnsaturated,
  vec3TuckedScalar,
  vec3ArrayStride,
  structPadding,
  aboveDefaultLimits,
];

type FunctionRule = (advice: Advice, fn: FunctionSurvey) => void;

const FUNCTION_RULES: readonly FunctionRule[] = [
  unusedLocal,
  neverRead,
  unusedParameter,
  shadowedBuiltin,
  misleadingShadow,
  maskNotPowerOfTwo,
  selectEvaluatesBoth,
  missingBarrier,
];

/** Rules for functions with atomic calls. */
const ATOMIC_RULES: readonly FunctionRule[] = [
  exchangeResultIgnored,
  exchangeNotRetried,
  staleExchange,
  oldValueAsNew,
  blindWrite,
  uncheckedSubtraction,
  takeAndPutBack,
  checkThenAct,
  appendWithoutGuard,
  floatBitsOrder,
  spinOnMemory,
  contendedAddress,
  contendedExchange,
];

/** Rules for functions with barriers; before `missingBarrier`, which is silent where the barrier is of the wrong kind. */
const BARRIER_RULES: readonly FunctionRule[] = [barrierKind, barrierAcrossWorkgroups, repeatedBarrier];

export function advise(program: Program, behaviors: Behaviors, found: DiagnosticList): void {
  const advice = new Advice(survey(program, behaviors), found);
  for (const rule of MODULE_RULES) rule(advice);
  for (const fn of advice.survey.functions) {
    if (fn.atomics.length > 0) for (const rule of ATOMIC_RULES) rule(advice, fn);
    if (fn.barriers.length > 0) for (const rule of BARRIER_RULES) rule(advice, fn);
    for (const rule of FUNCTION_RULES) rule(advice, fn);
  }
}
