// The overloads of the chapter "Built-in Functions" and the operators of the expression tables.

import { plain, rows, sectionAt, sections, squeeze, tables } from "./bikeshed.mjs";
import {
  normaliseType,
  overloadTables,
  parseParameterization,
  parseSignatures,
  reduceWhere,
  splitTop,
} from "./signatures.mjs";

const chapterOfFunctions = "builtin-functions";

/** Adds a scope to functions that are there without it, so it is no requirement. */
const notRequired = new Set(["subgroup_uniformity"]);

export function builtinFunctions(source) {
  const list = sections(source);
  const start = list.findIndex((section) => section.anchor === chapterOfFunctions);
  const end = list.findIndex((section, index) => index > start && section.level === 1);
  const requirements = extensionRequirements(list);
  return list.slice(start + 1, end).flatMap((section) => overloadsOf(section, requirements));
}

function overloadsOf(section, requirements) {
  const inTables = overloadTables(section.text);
  const sources = inTables.length > 0 ? inTables : atomicCode(section);
  return sources.flatMap(({ code, parameters }) => {
    const given = parseParameterization(parameters);
    return parseSignatures(plain(code)).map((signature) => overload(signature, given, section, requirements));
  });
}

/** The atomic functions stand in code blocks instead of tables. */
function atomicCode(section) {
  return [...section.text.matchAll(/^```wgsl\n([\s\S]*?)^```/gm)].map((match) => ({
    code: `<xmp>${match[1]}</xmp>`,
    parameters: "",
  }));
}

function overload(signature, given, section, requirements) {
  const where = { ...atomicDefaults(section, signature), ...given.where };
  const types = [signature.name, ...(signature.template ?? []), ...signature.params, signature.returns ?? ""];
  const requires = requirements.get(section.anchor) ?? requirements.get(section.chapter.anchor) ?? null;
  const used = reduceWhere(types, where);
  return {
    name: signature.name,
    anchor: section.anchor,
    const: signature.const,
    mustUse: signature.mustUse,
    template: signature.template,
    params: signature.params,
    returns: signature.returns,
    where: used,
    conditions: conditionsOn(types, used, given.conditions),
    stages: stagesOf(section),
    uniformity: uniformityOf(section),
    requires,
  };
}

/** The conditions that speak of nothing but these types and their parameters. */
function conditionsOn(types, where, conditions) {
  const names = new Set([...types.join(" ").match(/[A-Za-z_]\w*/g), ...Object.keys(where)]);
  return conditions.filter((text) => text.match(/\b[A-Z]\w*\b/g).every((name) => names.has(name)));
}

/** `atomic<T>` and the address spaces of atomic functions are ruled for all of them at once: spec #atomic-builtin-functions. */
function atomicDefaults(section, signature) {
  if (!signature.params.some((type) => type.includes("atomic<"))) return {};
  const element = { T: ["i32", "u32"] };
  if (section.chapter.anchor !== "atomic-builtin-functions") return element;
  const rules = squeeze(plain(section.chapter.text));
  const spaces =
    /address space AS of the atomic_ptr parameter in all atomic built-in functions must be either (\w+) or (\w+)/.exec(
      rules,
    );
  const types = /T must be either (\w+) or (\w+)/.exec(rules);
  if (!spaces || !types) throw new Error("the rules of the atomic functions read differently");
  return { AS: [spaces[1], spaces[2]], T: [types[1], types[2]].sort() };
}

/** Shader stages that a function may be used in. */
function stagesOf(section) {
  const all = ["compute", "fragment", "vertex"];
  for (const text of [section.text, section.chapter.text].map((part) => squeeze(plain(part)))) {
    const only = /must only be used in (?:a|the) (\w+)(?: or (\w+))? shader stage/i.exec(text);
    if (only) return only.slice(1).filter(Boolean).sort();
    const not = /must not be used in a (\w+) shader stage/i.exec(text);
    if (not) return all.filter((stage) => stage !== not[1]);
  }
  return all;
}

function uniformityOf(section) {
  for (const text of [section.text, section.chapter.text]) {
    const trigger = /\[=Trigger=\]|is \[=triggered=\]/i.test(text) && /\[=trigger\/(\w+_uniformity)=\]/.exec(text);
    if (trigger) return trigger[1];
    if (/must only be invoked in uniform control flow/.test(squeeze(plain(text)))) return "required";
  }
  return null;
}

/** Section anchor → the extension whose description names it. */
function extensionRequirements(list) {
  const found = new Map();
  for (const [anchor, kind] of [
    ["enable-extensions-sec", "enable"],
    ["language-extensions-sec", "language"],
  ]) {
    for (const row of tables(sectionAt(list, anchor).text).flatMap(rows)) {
      const name = /<dfn [^>]*>`?(\w+)`?<\/dfn>/.exec(row.cells[0])?.[1];
      if (!name || notRequired.has(name)) continue;
      const links = [...row.cells.join(" ").matchAll(/\[\[#([\w-]+)\|/g)].map((match) => match[1]);
      for (const link of links) found.set(link, { [kind]: name });
    }
  }
  return found;
}

/** Structures that functions return and nobody can name: `{name: {member: type}}`. */
export function resultStructures(source) {
  const found = {};
  for (const match of source.matchAll(/^struct (__\w+)(<\w+>)? \{\n([\s\S]*?)\n\}/gm)) {
    const members = [...match[3].matchAll(/^\s*(\w+)\s*:\s*([^,/\n]+)/gm)].map((member) => [
      member[1],
      normaliseType(member[2]),
    ]);
    found[match[1] + (match[2] ?? "")] = Object.fromEntries(members);
  }
  return found;
}

const operatorSections = [
  "vector-single-component",
  "component-reference-from-vector-memory-view",
  "matrix-access-expr",
  "array-access-expr",
  "logical-expr",
  "arithmetic-expr",
  "comparison-expr",
  "bit-expr",
  "address-of-expr",
  "indirection-expr",
];

/** Rows of the expression tables that use an operator or an index; swizzles and members are not operators. */
export function operators(source) {
  const list = sections(source);
  return operatorSections.flatMap((anchor) => {
    let algorithm = null;
    return tables(sectionAt(list, anchor).text)
      .flatMap(rows)
      .flatMap((row) => {
        algorithm = row.algorithm ?? (row.shared[0] ? algorithm : null);
        const conclusion = parseConclusion(row.cells[1] ?? "");
        if (!algorithm || !conclusion) return [];
        return [operator(conclusion, algorithm, anchor, row.cells[0])];
      });
  });
}

/** `e1 + e2 : T`. */
function parseConclusion(html) {
  const text = squeeze(plain(html));
  const index = /^(\w+)\[(\w+)\] ?: ?(.+)$/.exec(text);
  if (index) return { operator: "[]", operands: [index[1], index[2]], returns: index[3] };
  const binary = /^(\w+) ?([^\w\s.:[\]]{1,2}) ?(\w+) ?: ?(.+)$/.exec(text);
  if (binary) return { operator: binary[2], operands: [binary[1], binary[3]], returns: binary[4] };
  const unary = /^([^\w\s.:[\]]) ?(\w+) ?: ?(.+)$/.exec(text);
  return unary ? { operator: unary[1], operands: [unary[2]], returns: unary[3] } : null;
}

function operator(conclusion, algorithm, anchor, preconditions) {
  const given = parseParameterization(preconditions.replaceAll(/: T(?=<br>\|T\|)/g, ": |T|"));
  const operands = conclusion.operands.map((name) => operandType(given.operands[name], name, algorithm));
  const where = { ...given.where };
  if (operands.some((type) => type === "Index")) where.Index = ["i32", "u32"];
  const returns = normaliseType(splitTop(conclusion.returns.replaceAll(" ", ""))[0]);
  const used = reduceWhere([...operands, returns], where);
  const said = given.conditions.map((text) => text.replace("isConstExpression(i)", "isConstExpression(Index)"));
  const conditions = conditionsOn([...operands, returns], used, said);
  return { operator: conclusion.operator, algorithm, anchor, operands, returns, where: used, conditions };
}

function operandType(alternatives, name, algorithm) {
  if (!alternatives) throw new Error(`${algorithm}: nothing is said about the operand ${name}`);
  if (alternatives.join() === "i32,u32") return "Index";
  return alternatives.join(" | ");
}

/** `{operator, expands}` of the compound assignments. */
export function compoundAssignments(source) {
  const section = sectionAt(sections(source), "compound-assignment-sec");
  return tables(section.text)
    .flatMap(rows)
    .flatMap((row) => {
      const match = /^\w+ (\S+)= \w+$/.exec(squeeze(plain(row.cells[0] ?? "")));
      return match ? [{ operator: `${match[1]}=`, expands: match[1], anchor: section.anchor }] : [];
    });
}

/** Rows of the table of conversion ranks. */
export function conversions(source) {
  const section = sectionAt(sections(source), "conversion-rank");
  return tables(section.text)
    .flatMap(rows)
    .filter((row) => row.algorithm)
    .map((row) => {
      const [from, to, rank] = row.cells.slice(0, 3).map((cell) => squeeze(plain(cell)));
      const type = (text) => normaliseType(text.split(/\s*(?:\bfor\b|\bwhere\b)/)[0]);
      return { algorithm: row.algorithm, from: type(from), to: type(to), rank: rank.split(",\u0020")[0] };
    });
}
