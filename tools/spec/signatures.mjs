// From the words and tables of the spec to signatures: type expressions, and the sets that type parameters range over.

import { plain, rows, squeeze, tables } from "./bikeshed.mjs";

const scalars = ["bool", "AbstractInt", "AbstractFloat", "i32", "u32", "f32", "f16"];
const concreteNumeric = ["i32", "u32", "f32", "f16"];
const vectors = (components) => components.map((component) => `vecN<${component}>`);

/** What a phrase stands for. Sets that cannot be enumerated keep a name in lower case with hyphens. */
const sets = {
  scalar: scalars,
  "scalar type": scalars,
  vector: vectors(scalars),
  "concrete scalar": ["bool", ...concreteNumeric],
  "concrete scalar type": ["bool", ...concreteNumeric],
  "concrete numeric scalar": concreteNumeric,
  "concrete numeric vector": vectors(concreteNumeric),
  "concrete integer scalar": ["i32", "u32"],
  abstract: ["AbstractInt", "AbstractFloat"],
  constructible: ["constructible"],
  "concrete and constructible": ["concrete-constructible"],
  "concrete constructible type": ["concrete-constructible"],
  "constructible structure type with members having types T1 ... TN": ["constructible-structure"],
  "texel format": ["texel-format"],
  "access mode": ["access-mode"],
  "valid access mode for AS": ["access-mode-of<AS>"],
  "host-shareable type": ["host-shareable"],
  "host-shareable type without a fixed footprint": ["host-shareable-without-fixed-footprint"],
  "element type for a runtime-sized array": ["host-shareable-fixed-footprint"],
};

/** Statements about type parameters that are no sets, by what they say in the pin. */
const conditions = [
  [/^(\w+) is a vector if and only if (\w+) is a vector$/, "isVector($1) == isVector($2)"],
  [/^(\w+) can only be abstract if (\w+) is also abstract and vice versa/, "isAbstract($1) == isAbstract($2)"],
  [/^(\w+) must not be (?:or|nor) contain an atomic or buffer type$/, "noAtomicOrBuffer($1)"],
  [/^(\w+) must satisfy the address space layout constraints for (\w+)$/, "layoutConstraints($1, $2)"],
  [/^(\w+) is concrete$/, "isConcrete($1)"],
  [/^(\w+) is a const-expression$/, "isConstExpression($1)"],
];

const typeExpression = /^[A-Za-z_]\w*(?:<.*>)?$/;

/** Spaces only after commas. */
export function normaliseType(text) {
  return text.replace(/\s+/g, "").replaceAll(",", ", ");
}

/** Splits at `separator` outside of brackets. */
export function splitTop(text, separator = ",") {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if ("<(".includes(character)) depth++;
    if (">)".includes(character)) depth--;
    if (character === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** `i32, u32, or vecN<f32>`: the list of type expressions and sets. */
function alternatives(text) {
  const phrase = squeeze(text).replace(/^(?:one of |either |an? )/, "");
  if (sets[phrase]) return sets[phrase];
  const parts = splitTop(phrase.replaceAll(/\s+or\s+/g, ","));
  return parts.flatMap((part) => {
    const name = part.replace(/^an? /, "");
    if (sets[name]) return sets[name];
    if (!typeExpression.test(name)) throw new Error(`cannot read the alternatives ‘${text}’`);
    return [normaliseType(name)];
  });
}

/** Cuts what is said about type parameters into its statements. */
function statements(html) {
  return plain(html)
    .replace(/ or\s*\n\s*/g, " or ")
    .split(/\n\s*\n|\.\s*\n/)
    .map((part) => squeeze(part).replace(/[.,]$/, ""))
    .filter((part) => part !== "" && !part.startsWith("Note:") && !part.startsWith("See the texel format table"));
}

/** `{where, conditions, operands}` of a precondition cell. */
export function parseParameterization(html) {
  const result = { where: {}, conditions: [], operands: {} };
  for (const statement of statements(html))
    if (!parseStatement(statement, result)) throw new Error(`cannot read ‘${statement}’`);
  return result;
}

function parseStatement(statement, result) {
  for (const [pattern, form] of conditions) {
    if (!pattern.test(statement)) continue;
    result.conditions.push(statement.replace(new RegExp(`${pattern.source}.*`), form));
    return true;
  }
  const operand = /^(\w+(?:, \w+)*) ?: ?(.+)$/.exec(statement);
  if (operand) {
    const type = alternatives(operand[2]);
    for (const name of operand[1].split(", ")) result.operands[name] = type;
    return true;
  }
  return parseSetStatement(statement, result);
}

function parseSetStatement(statement, result) {
  const distinct = /^(\w+) is not (\w+) and is (.+)$/.exec(statement);
  if (distinct) {
    result.conditions.push(`${distinct[1]} != ${distinct[2]}`);
    result.where[distinct[1]] = alternatives(distinct[3]);
    return true;
  }
  const channel = /^(\w+) depends on the storage texel format (\w+)/.exec(statement);
  if (channel) {
    result.where[channel[1]] = [`channel-format<${channel[2]}>`];
    result.where[channel[2]] ??= ["texel-format"];
    return true;
  }
  // `TB is vecN<bool> if T is a vector, otherwise TB is bool`, in one statement or two.
  const chosen = /^(?:otherwise )?(\w+) is (.+?)(?: (?:if|when) (\w+) is (.+?)(?:, otherwise \1 is (.+))?)?$/.exec(
    statement,
  );
  const valid = /^(?:access mode )?(\w+) is (.+?) and must be valid for (\w+)$/.exec(statement);
  if (valid) {
    result.where[valid[1]] = alternatives(valid[2]);
    result.conditions.push(`validAccessMode(${valid[1]}, ${valid[3]})`);
    return true;
  }
  if (!chosen) return false;
  const [, name, set, , , otherwise] = chosen;
  const values = [...alternatives(set), ...(otherwise ? alternatives(otherwise) : [])];
  const either = statement.startsWith("otherwise ") ? (result.where[name] ?? []) : [];
  result.where[name] = [...either, ...values];
  if (chosen[3] || either.length > 0) {
    const condition = `${name} follows ${chosen[3] ?? "T"}`;
    if (!result.conditions.includes(condition) && !statement.startsWith("otherwise "))
      result.conditions.push(condition);
  }
  return true;
}

/** All `fn` signatures of a piece of code, without the functions that have a body. */
export function parseSignatures(code) {
  const pieces = code.split(/(?=^struct\b)|(?<!@\w+\s+)(?=(?:@\w+\s+)+fn\s)|(?<!@\w+\s+)(?=\bfn\s)/m);
  return pieces.flatMap((piece) => {
    const start = /^((?:@\w+\s+)*)fn\s+(\w+)/.exec(piece);
    if (!start || piece.includes("{")) return [];
    const [whole, attributes, name] = start;
    const signature = parseSignature(piece.slice(whole.length));
    return [{ name, const: attributes.includes("@const"), mustUse: attributes.includes("@must_use"), ...signature }];
  });
}

/** What follows the name: `<T>(a: T) -> T`. */
function parseSignature(text) {
  const open = text[0] === "<" ? closing(text, 0) + 1 : 0;
  const template = open > 0 ? splitTop(text.slice(1, open - 1)).map(normaliseType) : null;
  if (text[open] !== "(") throw new Error(`no parameter list in ‘${text}’`);
  const end = closing(text, open);
  const params = parameterTypes(splitTop(text.slice(open + 1, end)));
  const [, returns] = /^\s*->([\s\S]+)$/.exec(text.slice(end + 1)) ?? [];
  return { template, params, returns: returns ? normaliseType(returns) : null };
}

function closing(text, open) {
  const [start, stop] = text[open] === "<" ? ["<", ">"] : ["(", ")"];
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === start) depth++;
    if (text[i] === stop && --depth === 0) return i;
  }
  throw new Error(`unbalanced ${start} in ‘${text.slice(0, 40)}’`);
}

/** `e1 : T, ..., e6 : T` is six times T; with an open end it is `...T`. */
function parameterTypes(params) {
  const dots = params.indexOf("...");
  if (dots < 0) return params.map(typeOfParameter);
  const last = /^\D+(\d+|N)\s*:/.exec(params[dots + 1]);
  const type = typeOfParameter(params[dots + 1]);
  if (last[1] === "N") return [`...${type}`];
  return Array.from({ length: Number(last[1]) }, () => type);
}

function typeOfParameter(parameter) {
  const [, type] = /^\w+\s*:\s*([\s\S]+)$/.exec(parameter) ?? [];
  if (!type) throw new Error(`cannot read the parameter ‘${parameter}’`);
  return normaliseType(type);
}

/** The entries of `where` that the types name, followed through, and the sizes of vectors and matrices. */
export function reduceWhere(types, where) {
  const used = {};
  const visit = (text) => {
    for (const [, prefix] of text.matchAll(/\b(vecN|vecC|vecR|mat[CKR]x[CKR])\b/g))
      for (const size of prefix.replace(/^(?:vec|mat)/, "").split("x")) used[size] ??= ["2", "3", "4"];
    if (/vecN/.test(text)) used.N ??= ["2", "3", "4"];
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      if (!where[name] || used[name]) continue;
      used[name] = where[name];
      for (const value of where[name]) visit(value);
    }
  };
  for (const type of types) visit(type);
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tables of the spec have their type parameters in a row of its own or in the first column. */
export function overloadTables(text) {
  return tables(text).flatMap((table) => {
    const list = rows(table);
    const labels = list.map((row) => squeeze(plain(row.cells[0] ?? "")));
    const overload = labels.findIndex((label) => /^Overloads?$/.test(label));
    if (overload >= 0) {
      const parameters = labels.findIndex((label) => label === "Parameterization" || label === "Preconditions");
      return [{ code: list[overload].cells[1], parameters: parameters < 0 ? "" : list[parameters].cells[1] }];
    }
    const header = (list[0]?.cells ?? []).map((cell) => squeeze(plain(cell)));
    if (header[1] !== "Overload") return [];
    return list.slice(1).map((row) => ({ code: row.cells[1], parameters: row.cells[0] }));
  });
}
