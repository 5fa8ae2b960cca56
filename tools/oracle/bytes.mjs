// From what a launch file says of a buffer to bytes, and back from bytes to values.

const WRITE = { u32: "setUint32", i32: "setInt32", f32: "setFloat32" };
const READ = { u32: "getUint32", i32: "getInt32", f32: "getFloat32" };

/** PCG hash, u32 to u32. */
export function pcg(x) {
  const state = (Math.imul(x, 747796405) + 2891336453) >>> 0;
  const word = Math.imul(((state >>> ((state >>> 28) + 4)) ^ state) >>> 0, 277803737) >>> 0;
  return ((word >>> 22) ^ word) >>> 0;
}

/** Leaf scalar `index` of a `random:` buffer; `min` and `max` both or neither. */
export function randomScalar(scalar, index, seed, min, max) {
  const hash = pcg((index + pcg(seed)) >>> 0);
  if (scalar === "f32") {
    const unit = (hash >>> 8) / 2 ** 24;
    return min === undefined ? unit : Math.fround(min + (max - min) * unit);
  }
  return min === undefined ? hash : min + Math.floor((hash * (max - min + 1)) / 2 ** 32);
}

/** The type with its runtime-sized array made `count` elements long. */
export function sized(type, count) {
  if (type.kind !== "list" || type.count !== null) return type;
  if (!Number.isInteger(count)) throw new Error("a runtime-sized array needs a number of elements");
  return { ...type, count, size: count * type.stride };
}

/** Calls `visit(scalar name, byte offset)` for each leaf in the order of the declaration; padding is no leaf. */
function forEachLeaf(type, offset, visit) {
  if (type.kind === "scalar") visit(type.name, offset);
  else if (type.kind === "struct") {
    for (const member of type.members) forEachLeaf(member.type, offset + member.offset, visit);
  } else {
    for (let i = 0; i < type.count; i++) forEachLeaf(type.element, offset + i * type.stride, visit);
  }
}

function writeValue(view, type, offset, value) {
  if (type.kind === "scalar") view[WRITE[type.name]](offset, Number(value), true);
  else if (type.kind === "struct") {
    for (const member of type.members) writeValue(view, member.type, offset + member.offset, value[member.name]);
  } else {
    if (value.length !== type.count) throw new Error(`${value.length} values for ${type.count} elements`);
    value.forEach((element, i) => {
      writeValue(view, type.element, offset + i * type.stride, element);
    });
  }
}

/** Values by layout; NaN and infinities as strings, as in results. */
export function readValue(view, type, offset = 0) {
  if (type.kind === "scalar") {
    const value = view[READ[type.name]](offset, true);
    return Number.isFinite(value) ? value : String(value);
  }
  if (type.kind === "struct") {
    return Object.fromEntries(type.members.map((m) => [m.name, readValue(view, m.type, offset + m.offset)]));
  }
  return Array.from({ length: type.count }, (_, i) => readValue(view, type.element, offset + i * type.stride));
}

/** `random:64:seed=1:min=0:max=9` as the function that gives leaf `index`, and the number of elements. */
function parseSpec(spec) {
  const [kind, ...parts] = spec.split(":");
  const options = Object.fromEntries(parts.filter((part) => part.includes("=")).map((part) => part.split("=")));
  const [first, second] = parts.filter((part) => !part.includes("=")).map(Number);
  const { seed = 1, min, max, ...unknown } = options;
  if (Object.keys(unknown).length > 0) throw new Error(`not supported: ${spec}`);
  const number = (text) => (text === undefined ? undefined : Number(text));
  switch (kind) {
    case "zeros":
      return { count: first, leaf: () => 0 };
    case "iota":
      return { count: first, leaf: (index) => index };
    case "fill":
      return { count: second, leaf: () => first };
    case "random":
      return { count: first, leaf: (i, scalar) => randomScalar(scalar, i, Number(seed), number(min), number(max)) };
    default:
      throw new Error(`not supported: ${spec}`);
  }
}

/** The bytes that a launch file's buffer stands for, and its type with the number of elements known. */
export function makeBuffer(declaredType, spec) {
  if (typeof spec !== "string" && !("values" in spec)) throw new Error(`not supported: ${JSON.stringify(spec)}`);
  const { count, leaf } = typeof spec === "string" ? parseSpec(spec) : { count: spec.values.length, leaf: null };
  const type = sized(declaredType, count);
  const bytes = new Uint8Array(type.size);
  const view = new DataView(bytes.buffer);
  if (leaf === null) writeValue(view, type, 0, spec.values);
  else {
    let index = 0;
    forEachLeaf(type, 0, (scalar, offset) =>
      writeValue(view, { kind: "scalar", name: scalar }, offset, leaf(index++, scalar)),
    );
  }
  return { type, bytes };
}
