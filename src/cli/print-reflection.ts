/** The host contract for people: tables of entry points, bindings, overrides, and of structures with their padding. */
import type { Paint } from "../diagnostics/print-palette.ts";
import type { Words } from "../diagnostics/words.ts";
import type {
  ReflectedBinding,
  ReflectedEntryPoint,
  ReflectedLayout,
  ReflectedMember,
  ReflectedOverride,
  Reflection,
} from "../reflect/reflection.ts";
import type { Look } from "./report.ts";
import { table } from "./table.ts";

/** `computed`: the defaults of overrides as they are written, by name. */
export function printReflection(
  reflection: Reflection,
  computed: ReadonlyMap<string, string>,
  { paint, words }: Look,
): string {
  const title = (text: string): string => `${paint("strong", text)}\n`;
  const { entryPoints, bindings, workgroupVariables, overrides, structs, enables, requires } = reflection;
  const parts = [title(reflection.path)];
  if (enables.length > 0) parts.push(`  ${words.say("enables-are", { names: enables.join(", ") })}\n`);
  if (requires.length > 0) parts.push(`  ${words.say("requires-are", { names: requires.join(", ") })}\n`);
  for (const entry of entryPoints) {
    parts.push(`\n${title(words.say("entry-point", { name: entry.name }))}${entryPointText(entry, reflection, words)}`);
  }
  if (bindings.length > 0) {
    const titles = BINDING_COLUMNS.map((column) => words.say(`column-${column}`));
    const rows = [["", ...titles], ...bindings.map((binding) => bindingRow(binding, words))];
    const aligns = ["left", "left", "left", "left", "right", "right", "right"] as const;
    parts.push(`\n${title(words.say("title-bindings"))}${table(rows, aligns)}`);
  }
  if (workgroupVariables.length > 0) {
    const rows = workgroupVariables.map(({ name, type, layout }) => [name, type, sizeText(layout, words)]);
    parts.push(`\n${title(words.say("title-workgroup-memory"))}${table(rows, ["left", "left", "right"])}`);
  }
  if (overrides.length > 0) {
    const rows = overrides.map((item) => [
      item.name,
      item.type,
      defaultText(item, computed, words),
      item.id === null ? "" : `@id(${item.id})`,
    ]);
    parts.push(`\n${title(words.say("title-overrides"))}${table(rows, [])}`);
  }
  for (const [name, layout] of Object.entries(structs)) {
    parts.push(`\n${title(words.say("struct-named", { name }))}${structText(layout, paint, words)}`);
  }
  return parts.join("");
}

const BINDING_COLUMNS = ["name", "kind", "type", "size", "smallest", "stride"] as const;
const MEMBER_COLUMNS = ["offset", "size", "align", "member", "type"] as const;

function entryPointText(entry: ReflectedEntryPoint, reflection: Reflection, words: Words): string {
  const names = new Map(reflection.bindings.map((b) => [`${b.group}.${b.binding}`, b.name]));
  const rows: string[][] = [[words.say("row-stage"), entry.stage]];
  if (entry.stage === "compute") {
    const size = entry.workgroupSize;
    const text = size === null ? words.say("needs-override") : workgroupText(size, words);
    rows.push([words.say("title-workgroup"), text]);
  }
  if (entry.builtins.length > 0) rows.push([words.say("row-builtins"), entry.builtins.join(", ")]);
  if (entry.bindings.length > 0) {
    rows.push([words.say("title-bindings"), entry.bindings.map((key) => `${names.get(key)} (${key})`).join(", ")]);
  }
  if (entry.workgroupVariables.length > 0) {
    const bytes =
      entry.workgroupBytes === null ? words.say("size-needs-override") : words.count("byte", entry.workgroupBytes);
    rows.push([words.say("title-workgroup-memory"), `${entry.workgroupVariables.join(", ")} (${bytes})`]);
  }
  if (entry.overrides.length > 0) rows.push([words.say("title-overrides"), entry.overrides.join(", ")]);
  const accesses = accessSummary(entry);
  if (accesses !== "") rows.push([words.say("row-accesses"), accesses]);
  return table(rows, []);
}

function workgroupText(size: readonly number[], words: Words): string {
  const invocations = size.reduce((product, extent) => product * extent, 1);
  return `${size.join(" × ")} = ${words.count("invocation", invocations)}`;
}

function defaultText(
  { name, default: value }: ReflectedOverride,
  computed: ReadonlyMap<string, string>,
  words: Words,
): string {
  return value === null && !computed.has(name) ? words.say("no-default") : `= ${value ?? computed.get(name)}`;
}

/** Per variable what is done to it: `bins atomic; data read`. */
function accessSummary(entry: ReflectedEntryPoint): string {
  const kinds = new Map<string, Set<string>>();
  for (const { variable, kind } of entry.accesses) {
    kinds.set(variable, (kinds.get(variable) ?? new Set<string>()).add(kind));
  }
  return [...kinds].map(([variable, set]) => `${variable} ${[...set].join("/")}`).join("; ");
}

function bindingRow(binding: ReflectedBinding, words: Words): string[] {
  const { group, binding: number, name, kind, type, layout, minBindingSize } = binding;
  return [
    `${group}.${number}`,
    name,
    kind,
    type,
    sizeText(layout, words),
    minBindingSize === null ? "" : String(minBindingSize),
    strideText(layout),
  ];
}

function sizeText(layout: ReflectedLayout | null, words: Words): string {
  if (layout === null) return "";
  return layout.runtimeSized === true ? words.say("runtime-size") : words.count("byte", layout.size);
}

function strideText(layout: ReflectedLayout | null): string {
  return layout?.stride === undefined ? "" : String(layout.stride);
}

/** One row per member, and one for each gap that the host must leave. */
function structText(layout: ReflectedLayout, paint: Paint, words: Words): string {
  const members = layout.members ?? [];
  const padding = `– ${words.say("padding")}`;
  const paddingRow = (offset: number, size: number): string[] => [String(offset), String(size), "", padding, ""];
  const rows: string[][] = [MEMBER_COLUMNS.map((column) => words.say(`column-${column}`))];
  let end = 0;
  for (const member of members) {
    if (member.offset > end) rows.push(paddingRow(end, member.offset - end));
    rows.push(memberRow(member));
    end = member.offset + usedBytes(member);
    if (member.offset + member.size > end) {
      rows.push(paddingRow(end, member.offset + member.size - end));
      end = member.offset + member.size;
    }
  }
  const isRuntime = layout.runtimeSized === true;
  if (!isRuntime && layout.size > end) rows.push(paddingRow(end, layout.size - end));
  const lines = table(rows, ["right", "right", "right"])
    .split(/(?<=\n)/)
    .map((line) => (line.includes(padding) ? `${paint("faint", line.trimEnd())}\n` : line));
  const bytes = words.count("byte", layout.size);
  const size = isRuntime ? words.say("before-runtime-array", { bytes }) : bytes;
  return `${lines.join("")}  ${words.say("aligned-to", { size, align: layout.align })}\n`;
}

/** Bytes of a member that its type fills; the rest of its size is what `@size` adds. */
function usedBytes(member: ReflectedMember): number {
  return member.layout.runtimeSized === true ? member.size : member.layout.size;
}

function memberRow({ offset, size, align, name, type, layout }: ReflectedMember): string[] {
  const stride = layout.stride === undefined ? "" : `  stride ${layout.stride}`;
  const shown = layout.runtimeSized === true ? "…" : String(size);
  return [String(offset), shown, String(align), name, `${type}${stride}`];
}
