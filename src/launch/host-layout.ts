/** What the host takes the layouts to be, against what they are. */
import type { Program, StructInfo, VariableInfo } from "../analysis/program.ts";
import { diagnostic, type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import { applyFilters } from "../diagnostics/filter.ts";
import { type Layout, layoutOf, type MemberLayout, roundUp } from "../layout/layout.ts";
import { bindingKey } from "../reflect/reflection.ts";
import { nearestName } from "../text/nearest.ts";
import type { Span } from "../text/source.ts";
import { type Type, typeName } from "../types/type.ts";
import type { HostLayout, Launch } from "./launch.ts";
import { type LaunchPath, type LaunchReport, launchError, listed, unknownName } from "./problem.ts";

/** One layout that a host layout can speak of: a structure, or the type of a buffer. */
interface Subject {
  readonly program: Program;
  readonly name: string;
  readonly layout: Layout;
  /** Where a difference of the whole is told. */
  readonly span: Span;
  readonly variable: VariableInfo | null;
}

/** Reports each difference as `layout-mismatch` at the member, the structure or the variable. */
export function checkHostLayouts(launch: Launch, programs: readonly Program[], report: LaunchReport): void {
  for (const [key, host] of Object.entries(launch.hostLayout ?? {})) {
    const path: LaunchPath = ["hostLayout", key];
    report.try(() => {
      const subject = subjectOf(key, programs, path);
      if (subject !== null) checkSubject(subject, host, path, report);
    });
  }
}

/** null: the type has no layout, because the shader has errors. */
function subjectOf(key: string, programs: readonly Program[], path: LaunchPath): Subject | null {
  const known: string[] = [];
  for (const program of programs) {
    const struct = program.structs.find((each) => each.name === key);
    if (struct !== undefined) return subject(program, key, struct.type, struct.declaration.name.span, null);
    const buffers = program.variables.filter((variable) => variable.binding !== null);
    const variable = buffers.find((each) => each.name === key || bindingKey(each) === key);
    if (variable !== undefined) {
      return subject(program, variable.name, variable.type, variable.declaration.name.span, variable);
    }
    known.push(...program.structs.map((each) => each.name), ...buffers.map((each) => each.name));
  }
  throw unknownName(path, "host-layout-unknown", key, known);
}

function subject(
  program: Program,
  name: string,
  type: Type,
  span: Span,
  variable: VariableInfo | null,
): Subject | null {
  try {
    return { program, name, layout: layoutOf(type), span, variable };
  } catch {
    return null;
  }
}

function checkSubject(subject: Subject, host: HostLayout, path: LaunchPath, report: LaunchReport): void {
  const { name, layout } = subject;
  const differ = (
    what: "stride" | "size" | "offset",
    of: string,
    hostValue: number,
    shaderValue: number,
    span: Span,
    notes: Note[],
  ) => {
    if (hostValue === shaderValue) return;
    const { source, diagnosticFilters } = subject.program;
    const args = { what: phrase(`the-${what}`), name: of, host: hostValue, shader: shaderValue };
    const found = diagnostic("layout-mismatch", span, args, { notes });
    for (const item of applyFilters([found], diagnosticFilters)) report.add({ ...item, source });
  };
  if (host.stride !== undefined) {
    differ("stride", name, host.stride, strideOf(layout, [...path, "stride"]), subject.span, []);
  }
  if (host.size !== undefined) {
    const size = layout.type.kind === "array" && layout.runtimeSized ? layout.element!.size : layout.size;
    differ("size", name, host.size, size, subject.span, []);
  }
  for (const [member, stated] of Object.entries(host.members ?? {})) {
    report.try(() => {
      const place: LaunchPath = [...path, "members", member];
      const { offset, size, layout: found, span } = memberAt(subject, member, place);
      const full = `${name}.${member}`;
      const notes = subject.variable === null ? [] : [note("declared-here", subject.span, { name })];
      const hostOffset = typeof stated === "number" ? stated : stated.offset;
      differ("offset", full, hostOffset, offset, span, notes);
      if (typeof stated === "number" || stated.size === undefined || stated.size === size) return;
      differ("size", full, stated.size, found.size, span, notes);
    });
  }
}

function strideOf(layout: Layout, path: LaunchPath): number {
  if (layout.stride !== null) return layout.stride;
  // A structure: the distance of its copies in an array.
  if (layout.members.length > 0 && !layout.runtimeSized) return roundUp(layout.align, layout.size);
  const tail = layout.members.at(-1)?.layout;
  if (tail !== undefined && tail.stride !== null) return tail.stride;
  throw launchError(path, "host-no-stride", { type: typeName(layout.type) });
}

interface FoundMember extends MemberLayout {
  readonly span: Span;
}

/** A member by name, or `outer.inner`; offsets are from the start of the outermost structure. */
function memberAt(subject: Subject, names: string, path: LaunchPath): FoundMember {
  let layout = subject.layout.type.kind === "array" ? subject.layout.element! : subject.layout;
  let offset = 0;
  let found: FoundMember | null = null;
  for (const name of names.split(".")) {
    while (layout.type.kind === "array") layout = layout.element!;
    if (layout.members.length === 0) throw launchError(path, "host-no-members", { type: typeName(layout.type) });
    const index = layout.members.findIndex((each) => each.name === name);
    if (index < 0) {
      const known = layout.members.map((each) => each.name);
      const args = { type: typeName(layout.type), name, known: listed(known) };
      throw launchError(path, "host-member-unknown", args, nearestName(name, known));
    }
    const member = layout.members[index];
    offset += member.offset;
    found = { ...member, offset, span: memberSpan(subject, layout.type, index) };
    layout = member.layout;
  }
  return found!;
}

function memberSpan({ program, span }: Subject, type: Type, index: number): Span {
  const struct: StructInfo | undefined = program.structs.find((each) => each.type === type);
  return struct?.declaration.members[index]?.span ?? span;
}
