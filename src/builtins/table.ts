/** The table of builtin functions, section by section. Rows are made when a name is first asked for. */
import type { BuiltinRow } from "./row.ts";
import type { Section } from "./section.ts";
import { ATOMIC, BUFFER_VIEW, SYNCHRONIZATION } from "./table-memory.ts";
import { LOGICAL, NUMERIC } from "./table-numeric.ts";
import { PACKING } from "./table-packing.ts";
import { SUBGROUP } from "./table-subgroup.ts";
import { DERIVATIVE_FUNCTIONS, TEXTURE } from "./table-texture.ts";

/** In the order of the specification. */
const SECTIONS = [
  LOGICAL,
  NUMERIC,
  DERIVATIVE_FUNCTIONS,
  TEXTURE,
  ATOMIC,
  PACKING,
  SYNCHRONIZATION,
  SUBGROUP,
  BUFFER_VIEW,
] as const;

/** Every builtin function by name; constructors are not among them. */
export type BuiltinName = (typeof SECTIONS)[number]["names"][number];

const sectionOf = new Map<string, Section>();
for (const section of SECTIONS) for (const name of section.names) sectionOf.set(name, section as Section);

export const BUILTIN_NAMES: readonly BuiltinName[] = [...sectionOf.keys()] as BuiltinName[];

export function isBuiltinName(name: string): name is BuiltinName {
  return sectionOf.has(name);
}

/** All overloads of a builtin function, in the order of the specification. */
export function rowsOf(name: BuiltinName): readonly BuiltinRow[] {
  return sectionOf.get(name)!.rows(name);
}
