/** Lowering for those who run the same entry point again and again: what is compiled from a module is kept by its identity. */
import type { Program } from "../analysis/program.ts";
import type { ConstValue } from "../types/value.ts";
import { type Lowered, lower } from "./lower.ts";
import type { Overrides } from "./lower-module.ts";

/** By entry point and overrides, in the order of their last use. */
const kept = new WeakMap<Program, Map<string, Lowered>>();
const MOST = 32;

/** As `lower`; with equal overrides the same module. @throws as `lower` does */
export function lowerOnce(program: Program, entryPoint: string, overrides: Overrides): Lowered {
  const modules = kept.get(program) ?? new Map<string, Lowered>();
  kept.set(program, modules);
  const key = `${entryPoint} ${[...overrides].map(([{ name }, value]) => `${name}=${valueText(value)}`).join()}`;
  const lowered = modules.get(key) ?? lower(program, entryPoint, overrides);
  modules.delete(key);
  modules.set(key, lowered);
  if (modules.size > MOST) modules.delete(modules.keys().next().value!);
  return lowered;
}

function valueText({ value }: ConstValue): string {
  // 0 and -0 are different values.
  return Object.is(value, -0) ? "-0" : String(value);
}
