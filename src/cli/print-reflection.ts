/** The host contract for people: tables of entry points, bindings, overrides, and of structures with their padding. */
import type { Paint } from "../diagnostics/print-palette.ts";
import type {
  ReflectedBinding,
  ReflectedEntryPoint,
  ReflectedLayout,
  ReflectedMember,
  ReflectedOverride,
  Reflection,
} from "../reflect/reflection.ts";
import type { Look } from "./report.ts";
import { bytesText, grouped, table } from "./table.ts";

/** `computed`: the defaults of overrides as they are written, by name. */
export function printReflection(
  reflection: Reflection,
  computed: ReadonlyMap<string, string>,
  { paint }: Look,
): string {
  const title = (text: string): string => `${paint("strong", text)}\n`;
  const { entryPoints, bindings, workgroupVariables, overrides, structs, enables, requires } = reflection;
  const parts = [title(reflection.path)];
  if (enables.length > 0) parts.push(`  enables ${enables.join(", ")}\n`);
  if (requires.length > 0) parts.push(`  requires ${requires.join(", ")}\n`);
  for (const entry of entryPoints) {
    parts.push(`\n${title(`entry point ${entry.name}`)}${entryPointText(entry, reflection)}`);
  }
  if (bindings.length > 0) {
    const rows = [["", "name", "kind", "type", "size", "smallest", "stride"], ...bindings.map(bindingRow)];
    const aligns = ["left", "left", "left", "left", "right", "right", "right"] as const;
    parts.push(`\n${title("bindings")}${table(rows, aligns)}`);
  }
  if (workgroupVariables.length > 0) {
    const rows = workgroupVariables.map(({ name, type, layout }) => [name, type, sizeText(layout)]);
    parts.push(`\n${title("workgroup memory")}${table(rows, ["left", "left", "right"])}`);
  }
  if (overrides.length > 0) {
    const rows = overrides.map((item) => [
      item.name,
      item.type,
      defaultText(item, computed),
      item.id === null ? "" : `@id(${item.id})`,
    ]);
    parts.push(`\n${title("overrides")}${table(rows, [])}`);
  }
  for (const [name, layout] of Object.entries(structs)) {
    parts.push(`\n${title(`struct ${name}`)}${structText(layout, paint)}`);
  }
  return parts.join("");
}

function entryPointText(entry: ReflectedEntryPoint, reflection: Reflection): string {
  const names = new Map(reflection.bindings.map((b) => [`${b.group}.${b.binding}`, b.name]));
  const rows: string[][] = [["stage", entry.stage]];
  if (entry.stage === "compute") {
    const size = entry.workgroupSize;
    const text = size === null ? "needs the value of an override" : workgroupText(size);
    rows.push(["workgroup", text]);
  }
  if (entry.builtins.length > 0) rows.push(["builtins", entry.builtins.join(", ")]);
  if (entry.bindings.length > 0) {
    rows.push(["bindings", entry.bindings.map((key) => `${names.get(key)} (${key})`).join(", ")]);
  }
  if (entry.workgroupVariables.length > 0) {
    const bytes = entry.workgroupBytes === null ? "size needs an override" : bytesText(entry.workgroupBytes);
    rows.push(["workgroup memory", `${entry.workgroupVariables.join(", ")} (${bytes})`]);
  }
  if (entry.overrides.length > 0) rows.push(["overrides", entry.overrides.join(", ")]);
  const accesses = accessSummary(entry);
  if (accesses !== "") rows.push(["accesses", accesses]);
  return table(rows, []);
}

function workgroupText(size: readonly number[]): string {
  const invocations = size.reduce((product, extent) => product * extent, 1);
  return `${size.join(" × ")} = ${invocations === 1 ? "1 invocation" : `${grouped(invocations)} invocations`}`;
}

function defaultText({ name, default: value }: ReflectedOverride, computed: ReadonlyMap<string, string>): string {
  return value === null && !computed.has(name) ? "no default" : `= ${value ?? computed.get(name)}`;
}

/** Per variable what is done to it: `bins atomic; data read`. */
function accessSummary(entry: ReflectedEntryPoint): string {
  const kinds = new Map<string, Set<string>>();
  for (const { variable, kind } of entry.accesses) {
    kinds.set(variable, (kinds.get(variable) ?? new Set<string>()).add(kind));
  }
  return [...kinds].map(([variable, set]) => `${variable} ${[...set].join("/")}`).join("; ");
}

function bindingRow(binding: ReflectedBinding): string[] {
  const { group, binding: number, name, kind, type, layout, minBindingSize } = binding;
  return [
    `${group}.${number}`,
    name,
    kind,
    type,
    sizeText(layout),
    minBindingSize === null ? "" : String(minBindingSize),
    strideText(layout),
  ];
}

function sizeText(layout: ReflectedLayout | null): string {
  if (layout === null) return "";
  return layout.runtimeSized === true ? "runtime" : bytesText(layout.size);
}

function strideText(layout: ReflectedLayout | null): string {
  return layout?.stride === undefined ? "" : String(layout.stride);
}

/** One row per member, and one for each gap that the host must leave. */
function structText(layout: ReflectedLayout, paint: Paint): string {
  const members = layout.members ?? [];
  const rows: string[][] = [["offset", "size", "align", "member", "type"]];
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
    .map((line) => (line.includes("– padding") ? `${paint("faint", line.trimEnd())}\n` : line));
  const size = isRuntime ? `${bytesText(layout.size)} before the runtime-sized array` : bytesText(layout.size);
  return `${lines.join("")}  ${size}, aligned to ${layout.align}\n`;
}

/** Bytes of a member that its type fills; the rest of its size is what `@size` adds. */
function usedBytes(member: ReflectedMember): number {
  return member.layout.runtimeSized === true ? member.size : member.layout.size;
}

function paddingRow(offset: number, size: number): string[] {
  return [String(offset), String(size), "", "– padding", ""];
}

function memberRow({ offset, size, align, name, type, layout }: ReflectedMember): string[] {
  const stride = layout.stride === undefined ? "" : `  stride ${layout.stride}`;
  const shown = layout.runtimeSized === true ? "…" : String(size);
  return [String(offset), shown, String(align), name, `${type}${stride}`];
}
