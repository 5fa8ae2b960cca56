// The declarations of a shader and their layouts, read the simple way: enough for the examples, and on purpose independent
// of halay's own front end, which the oracle is there to check. What it does not understand it throws at.

/**
 * @typedef {{ kind: "scalar", name: "u32"|"i32"|"f32", size: number, align: number }
 *   | { kind: "list", element: Type, count: number | null, stride: number, size: number, align: number }
 *   | { kind: "struct", name: string, members: { name: string, type: Type, offset: number }[], size: number, align: number }} Type
 *   A list is an array, a vector or a matrix (a list of columns); count null: runtime-sized.
 * @typedef {{ name: string, group: number, binding: number, uniform: boolean, writable: boolean, type: Type }} Binding
 * @typedef {{ name: string, uses: Set<string> }} EntryPoint
 */

const roundUp = (multiple, n) => Math.ceil(n / multiple) * multiple;

const scalar = (name) => ({ kind: "scalar", name, size: 4, align: 4 });

const SUFFIXES = { f: "f32", i: "i32", u: "u32" };

// spec: #alignment-and-size
function list(element, count, align = element.align, stride = roundUp(align, element.size)) {
  return { kind: "list", element, count, stride, size: (count ?? 0) * stride, align };
}

function vector(length, element) {
  return list(element, length, element.size * (length === 3 ? 4 : length), element.size);
}

function matrix(columns, rows, element) {
  const column = vector(rows, element);
  return list(column, columns, column.align, roundUp(column.align, column.size));
}

function struct(name, members) {
  let end = 0;
  const placed = members.map((member) => {
    const offset = roundUp(member.type.align, end);
    end = offset + member.type.size;
    return { ...member, offset };
  });
  const align = Math.max(...members.map((member) => member.type.align));
  return { kind: "struct", name, members: placed, size: roundUp(align, end), align };
}

/** Splits at commas that are in no bracket: `array<u32, 4>, x: f32`. */
function splitTopLevel(text) {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if ("<([{".includes(character)) depth++;
    if (">)]}".includes(character)) depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The text up to the end of the first body in braces. */
function throughBody(text) {
  let depth = 0;
  for (let i = text.indexOf("{"); i >= 0 && i < text.length; i++) {
    if (text[i] === "{") depth++;
    if (text[i] === "}" && --depth === 0) return text.slice(0, i);
  }
  return text;
}

class Reader {
  constructor(source) {
    this.source = source.replace(/\/\/[^\n]*/g, "");
    this.constants = new Map();
    this.structs = new Map();
    for (const [, name, value] of this.source.matchAll(/\bconst\s+(\p{XIDC}+)\s*(?::\s*\w+\s*)?=\s*([^;]+);/gu)) {
      this.constants.set(name, value);
    }
    for (const [, name, body] of this.source.matchAll(/\bstruct\s+(\p{XIDC}+)\s*\{([^}]*)\}/gu)) {
      this.structs.set(name, body);
    }
  }

  /** The value of a const-expression of integers with + - * / and brackets. */
  integer(expression) {
    const digits = expression
      .replace(/\b[A-Za-z_]\w*\b/g, (name) => this.integer(this.constants.get(name) ?? "unknown name"))
      .replace(/\b(\d+|0x[0-9a-f]+)[ui]\b/g, "$1");
    if (!/^[\d\sx+*/()a-f-]+$/.test(digits)) throw new Error(`no integer const-expression: ${expression}`);
    return Math.trunc(new Function(`return ${digits}`)());
  }

  type(text) {
    const [, name, parameters] = /^(\p{XIDC}+)\s*(?:<(.*)>)?$/su.exec(text.trim()) ?? [];
    const of = splitTopLevel(parameters ?? "");
    if (name === "u32" || name === "i32" || name === "f32") return scalar(name);
    if (name === "atomic") return this.type(of[0]);
    if (name === "array") return list(this.type(of[0]), of.length > 1 ? this.integer(of[1]) : null);
    if (this.structs.has(name)) return this.struct(name);
    const [, columns, rows, suffix] = /^(?:vec|mat(\d)x)(\d)([fiu]?)$/.exec(name ?? "") ?? [];
    if (rows === undefined) throw new Error(`a type that is not understood: ${text}`);
    const element = suffix ? scalar(SUFFIXES[suffix]) : this.type(of[0]);
    return columns ? matrix(Number(columns), Number(rows), element) : vector(Number(rows), element);
  }

  struct(name) {
    const members = splitTopLevel(this.structs.get(name)).map((text) => {
      const [, member, type] = /^(\p{XIDC}+)\s*:\s*(.+)$/su.exec(text) ?? [];
      if (!member) throw new Error(`a member that is not understood: ${text}`);
      return { name: member, type: this.type(type) };
    });
    return struct(name, members);
  }

  bindings() {
    const pattern = /@group\((\d+)\)\s*@binding\((\d+)\)\s*var<([^>]*)>\s*(\p{XIDC}+)\s*:\s*([^;]+);/gu;
    return [...this.source.matchAll(pattern)].map(([, group, binding, space, name, type]) => ({
      name,
      group: Number(group),
      binding: Number(binding),
      uniform: space.trim() === "uniform",
      writable: space.includes("read_write"),
      type: this.type(type),
    }));
  }

  /** Entry points, each with all names that it and the functions it calls mention. */
  entryPoints() {
    const functions = new Map();
    for (const piece of this.source.split(/(?=@compute\b|\bfn\s)/)) {
      const name = /^fn\s+(\p{XIDC}+)/u.exec(piece)?.[1];
      if (name) functions.set(name, new Set(throughBody(piece).match(/\p{XIDC}+/gu)));
    }
    const reach = (name, seen = new Set()) => {
      if (seen.has(name)) return seen;
      seen.add(name);
      for (const used of functions.get(name) ?? []) reach(used, seen);
      return seen;
    };
    const names = [...this.source.matchAll(/@compute\b[^{]*?\bfn\s+(\p{XIDC}+)/gu)].map((match) => match[1]);
    return names.map((name) => ({ name, uses: reach(name) }));
  }
}

/** @returns {{ bindings: Binding[], entryPoints: EntryPoint[] }} */
export function readDeclarations(source) {
  const reader = new Reader(source);
  return { bindings: reader.bindings(), entryPoints: reader.entryPoints() };
}
