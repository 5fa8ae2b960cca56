/**
 * TypeScript for the host: one interface and one typed view per structure, one constant per binding. The text stands
 * alone: it imports nothing. Views read and write bytes by member name; all offsets and sizes are in bytes.
 */
import type { Program, VariableInfo } from "../analysis/program.ts";
import { type Layout, layoutOf, type MemberLayout, minBindingSize, runtimeArray } from "../layout/layout.ts";
import type { ScalarType, Type } from "../types/type.ts";
import { bindingKind } from "./reflection.ts";

export function generateTypeScript(program: Program, command = "halay reflect --format ts"): string {
  const structs = new Map<Type, Layout>();
  const variables = program.variables.filter((v) => v.space === "uniform" || v.space === "storage");
  for (const variable of variables) collectStructs(layoutOf(variable.type), structs);
  const names = new Names(structs, variables);
  const parts = [
    ...[...structs.values()].map((layout) => structText(layout, names)),
    ...variables.map((variable) => bindingText(variable, names)),
  ];
  const body = parts.join("\n");
  return `// Made by \`${command}\` from ${program.source.path}; do not edit. Offsets, sizes and strides in bytes.\n\n${preludeFor(body)}${body}`;
}

/** Structures that a layout contains, inner ones first. */
function collectStructs(layout: Layout, found: Map<Type, Layout>): void {
  if (layout.element !== null) collectStructs(layout.element, found);
  for (const member of layout.members) collectStructs(member.layout, found);
  if (layout.members.length > 0) found.set(layout.type, layout);
}

/** Names that the text may use: what TypeScript or the prelude has taken gets a trailing underscore. */
class Names {
  readonly #byOwner = new Map<object, string>();

  constructor(structs: ReadonlyMap<Type, Layout>, variables: readonly VariableInfo[]) {
    const taken = new Set(RESERVED);
    const claim = (owner: object, wanted: string, derived: readonly string[]): void => {
      let name = wanted;
      while ([name, ...derived.map((suffix) => name + suffix)].some((n) => taken.has(n))) name += "_";
      for (const suffix of ["", ...derived]) taken.add(name + suffix);
      this.#byOwner.set(owner, name);
    };
    for (const [type] of structs) claim(type, (type as { name: string }).name, ["View"]);
    for (const variable of variables) claim(variable, variable.name, []);
  }

  of(owner: object): string {
    return this.#byOwner.get(owner) as string;
  }
}

const RESERVED: readonly string[] = (
  "ArrayView ArrayBuffer ArrayBufferView DataView Number Math Array Object Partial Infinity NaN RangeError dataViewOf readF16 writeF16 " +
  "break case catch class const continue debugger default delete do else " +
  "enum export extends false finally for function if import in instanceof new null return super switch this throw true " +
  "try typeof var void while with yield let static implements interface package private protected public await any " +
  "number bigint boolean string symbol never unknown object type undefined arguments eval"
).split(" ");

// ---------------------------------------------------------------- types and code of one place

/** The TypeScript type of a value that lies so. */
function valueType(layout: Layout, names: Names): string {
  const { type } = layout;
  if (type.kind === "struct") return names.of(type);
  if (type.kind === "array") return `${valueType(layout.element as Layout, names)}[]`;
  if (layout.element === null) return "number";
  const part = valueType(layout.element, names);
  return `[${new Array(layout.count ?? 0).fill(part).join(", ")}]`;
}

/** An expression that reads the value at byte `at`. */
function readCode(layout: Layout, at: string, names: Names): string {
  const { type, element } = layout;
  if (type.kind === "struct") return `new ${names.of(type)}View(this.data, ${at}).read()`;
  if (type.kind === "array") return `${arrayView(layout, at, names)}.read()`;
  if (element === null) return scalarRead(scalarOf(type), at);
  const stride = layout.stride ?? element.size;
  const parts = Array.from({ length: layout.count ?? 0 }, (_, i) => readCode(element, plus(at, i * stride), names));
  return `[${parts.join(", ")}]`;
}

/** Statements that write `value` at byte `at`. */
function writeCode(layout: Layout, at: string, value: string, names: Names): string {
  const { type, element } = layout;
  if (type.kind === "struct") return `new ${names.of(type)}View(this.data, ${at}).write(${value});`;
  if (type.kind === "array") return `${arrayView(layout, at, names)}.write(${value});`;
  if (element === null) return scalarWrite(scalarOf(type), at, value);
  const stride = layout.stride ?? element.size;
  return Array.from({ length: layout.count ?? 0 }, (_, i) =>
    writeCode(element, plus(at, i * stride), `${value}[${i}]`, names),
  ).join(" ");
}

function arrayView(layout: Layout, at: string, names: Names): string {
  const element = layout.element as Layout;
  const count = layout.count ?? `Math.floor((this.data.byteLength - (${at})) / ${layout.stride})`;
  const view = elementView(element, names);
  return `new ${arrayViewType(layout, names)}(this.data, ${at}, ${layout.stride}, ${count}, ${view})`;
}

/** How an array makes one element: an object with `read` and `write`; for structures their view itself. */
function elementView(element: Layout, names: Names): string {
  if (element.type.kind === "struct") return `(data, at) => new ${names.of(element.type)}View(data, at)`;
  const value = valueType(element, names);
  const read = readCode(element, "at", names).replaceAll("this.data", "data");
  const write = writeCode(element, "at", "value", names).replaceAll("this.data", "data");
  return `(data, at) => ({ read: (): ${value} => ${read}, write: (value: ${value}) => { ${write} } })`;
}

function scalarOf(type: Type): ScalarType {
  return type.kind === "atomic" ? type.element : (type as ScalarType);
}

const ACCESSORS: Readonly<Record<string, string>> = { i32: "Int32", u32: "Uint32", f32: "Float32" };

function scalarRead(type: ScalarType, at: string): string {
  return type.kind === "f16" ? `readF16(this.data, ${at})` : `this.data.get${ACCESSORS[type.kind]}(${at}, true)`;
}

function scalarWrite(type: ScalarType, at: string, value: string): string {
  return type.kind === "f16"
    ? `writeF16(this.data, ${at}, ${value});`
    : `this.data.set${ACCESSORS[type.kind]}(${at}, ${value}, true);`;
}

function plus(at: string, bytes: number): string {
  const [, base, before] = /^(.*) \+ (\d+)$/.exec(at) ?? [null, at, "0"];
  const sum = Number(before) + bytes;
  return sum === 0 ? base : `${base} + ${sum}`;
}

// ---------------------------------------------------------------- structures

function structText(layout: Layout, names: Names): string {
  const name = names.of(layout.type);
  const members = layout.members;
  const fields = members.map((m) => `  ${m.name}: ${valueType(m.layout, names)};\n`).join("");
  const reads = members.map((m) => `${m.name}: ${readCode(m.layout, memberAt(m), names)}`).join(", ");
  const writes = members.map(
    (m) => `    if (value.${m.name} !== undefined) { this.${propertyOf(m, layout)} = value.${m.name}; }\n`,
  );
  const size = layout.runtimeSized
    ? "without elements in its runtime-sized array"
    : `distance between elements of an array of it: ${Math.ceil(layout.size / layout.align) * layout.align}`;
  return `export interface ${name} {
${fields}}

/** ${layout.size} bytes, aligned to ${layout.align}; ${size}. */
export class ${name}View {
  static readonly size = ${layout.size};
  static readonly align = ${layout.align};
  static readonly offsets = { ${members.map((m) => `${m.name}: ${m.offset}`).join(", ")} } as const;
  readonly data: DataView;
  readonly at: number;
  constructor(buffer: ArrayBuffer | ArrayBufferView, byteOffset = 0) {
    this.data = dataViewOf(buffer);
    this.at = byteOffset;
  }
${members.map((m) => memberText(m, layout, names)).join("")}  read(): ${name} {
    return { ${reads} };
  }
  /** Writes the members that are given. */
  write(value: Partial<${name}>): void {
${writes.join("")}  }
}
`;
}

/** Members whose names the view itself needs get a trailing underscore as properties. */
function propertyOf(member: MemberLayout, struct: Layout): string {
  let name = member.name;
  if (!VIEW_PROPERTIES.includes(name)) return name;
  do name += "_";
  while (struct.members.some((other) => other.name === name));
  return name;
}

const VIEW_PROPERTIES: readonly string[] = ["data", "at", "read", "write", "constructor"];

function memberAt(member: MemberLayout): string {
  return plus("this.at", member.offset);
}

function memberText(member: MemberLayout, struct: Layout, names: Names): string {
  const { layout } = member;
  const at = memberAt(member);
  const property = propertyOf(member, struct);
  const value = valueType(layout, names);
  const { kind } = layout.type;
  const view = kind === "struct" ? `${names.of(layout.type)}View` : kind === "array" ? "ArrayView" : null;
  const type = kind === "array" ? arrayViewType(layout, names) : (view ?? value);
  const read =
    kind === "struct"
      ? `new ${view}(this.data, ${at})`
      : kind === "array"
        ? arrayView(layout, at, names)
        : readCode(layout, at, names);
  const given = view === null ? value : `${value} | ${type}`;
  const unwrapped = view === null ? "value" : `(value instanceof ${view} ? value.read() : value)`;
  return `  get ${property}(): ${type} { return ${read}; }
  set ${property}(value: ${given}) { ${writeCode(layout, at, unwrapped, names)} }
`;
}

function arrayViewType(layout: Layout, names: Names): string {
  const element = layout.element as Layout;
  const value = valueType(element, names);
  return element.type.kind === "struct" ? `ArrayView<${value}, ${names.of(element.type)}View>` : `ArrayView<${value}>`;
}

// ---------------------------------------------------------------- bindings

function bindingText(variable: VariableInfo, names: Names): string {
  const layout = layoutOf(variable.type);
  const tail = layout.type.kind === "buffer" ? null : runtimeArray(layout);
  const size =
    tail === null
      ? `  size: ${layout.size},\n`
      : `  /** Bytes for so many elements. */\n  size: (elements: number): number => ${bytesFor(tail, layout)},\n`;
  const stride = tail === null ? "" : `  stride: ${tail.array.stride},\n`;
  return `export const ${names.of(variable)} = {
  group: ${variable.group},
  binding: ${variable.binding},
  kind: "${bindingKind(variable)}",
  minBindingSize: ${minBindingSize(layout)},
${stride}${size}  /** Typed access to the bytes of the buffer. */
  view: (buffer: ArrayBuffer | ArrayBufferView) => ${bindingView(layout, names)},
} as const;
`;
}

/** An expression for the bytes of a buffer with so many `elements`. */
function bytesFor(tail: { readonly array: Layout; readonly offset: number }, layout: Layout): string {
  const end = `${tail.offset === 0 ? "" : `${tail.offset} + `}${tail.array.stride} * elements`;
  return layout.type.kind === "array" ? end : `Math.ceil((${end}) / ${layout.align}) * ${layout.align}`;
}

function bindingView(layout: Layout, names: Names): string {
  if (layout.type.kind === "struct") return `new ${names.of(layout.type)}View(buffer)`;
  if (layout.type.kind === "array") {
    const data = layout.count === null ? `Math.floor(dataViewOf(buffer).byteLength / ${layout.stride})` : layout.count;
    return `new ${arrayViewType(layout, names)}(dataViewOf(buffer), 0, ${layout.stride}, ${data}, ${elementView(layout.element as Layout, names)})`;
  }
  // Views into a buffer are made by the shader: the bytes have no layout of their own.
  if (layout.type.kind === "buffer") return "dataViewOf(buffer)";
  return `(${elementView(layout, names).replace("(data, at)", "(data: DataView, at: number)")})(dataViewOf(buffer), 0)`;
}

// ---------------------------------------------------------------- what every generated text shares

const PRELUDE: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: "dataViewOf",
    text: `function dataViewOf(buffer: ArrayBuffer | ArrayBufferView): DataView {
  if (buffer instanceof DataView) return buffer;
  return ArrayBuffer.isView(buffer) ? new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength) : new DataView(buffer);
}
`,
  },
  {
    name: "ArrayView",
    text: `/** An array in a buffer: \`at(i)\` is the view of one element. */
export class ArrayView<T, V extends { read(): T; write(value: T): void } = { read(): T; write(value: T): void }> {
  constructor(data: DataView, offset: number, stride: number, length: number, make: (data: DataView, at: number) => V) {
    this.length = length;
    this.at = (index) => {
      if (!(index >= 0 && index < length)) throw new RangeError(\`index \${index} is outside an array of \${length}\`);
      return make(data, offset + index * stride);
    };
  }
  readonly length: number;
  readonly at: (index: number) => V;
  get(index: number): T { return this.at(index).read(); }
  set(index: number, value: T): void { this.at(index).write(value); }
  read(): T[] { return Array.from({ length: this.length }, (_, i) => this.get(i)); }
  write(values: readonly T[]): void { values.forEach((value, i) => { this.set(i, value); }); }
}
`,
  },
  {
    name: "readF16",
    text: `function readF16(data: DataView, at: number): number {
  const bits = data.getUint16(at, true);
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction === 0 ? Infinity : NaN) : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}
`,
  },
  {
    name: "writeF16",
    text: `function writeF16(data: DataView, at: number, value: number): void {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const exponent = Math.max(-14, Math.min(16, Math.floor(Math.log2(magnitude))));
  const scaled = magnitude / 2 ** (exponent - 10);
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  const bits = Number.isNaN(value) ? 0x7e00 : magnitude >= 65520 ? 0x7c00 : magnitude === 0 ? 0 : (exponent + 14) * 1024 + rounded;
  data.setUint16(at, sign | bits, true);
}
`,
  },
];

function preludeFor(body: string): string {
  const used = PRELUDE.filter(({ name }) => body.includes(name));
  return used.length === 0 ? "" : `${used.map(({ text }) => text).join("\n")}\n`;
}
