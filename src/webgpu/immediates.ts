/** Immediate data: a few words that belong to the pass, not to a buffer. webgpu: #programmable-passes-immediate-data */
import type { FunctionInfo, VariableInfo } from "../analysis/program.ts";
import type { Layout } from "../layout/layout.ts";

/** The variable that holds them; an entry point uses one at most. null: it uses none. */
export function immediateOf({ usedVariables }: FunctionInfo): VariableInfo | null {
  return usedVariables.find(({ space }) => space === "immediate") ?? null;
}

/** The words in which a value lies, without its padding. spec: #immediate-data */
export function accessibleSlots(layout: Layout): readonly number[] {
  const slots = new Set<number>();
  collect(layout, 0, slots);
  return [...slots].sort((a, b) => a - b);
}

function collect(layout: Layout, offset: number, slots: Set<number>): void {
  if (layout.members.length > 0) {
    for (const member of layout.members) collect(member.layout, offset + member.offset, slots);
  } else if (layout.element !== null && layout.stride !== null) {
    for (let i = 0; i < (layout.count ?? 0); i++) collect(layout.element, offset + i * layout.stride, slots);
  } else {
    for (let at = offset; at < offset + layout.size; at += 2) slots.add(Math.floor(at / 4));
  }
}
