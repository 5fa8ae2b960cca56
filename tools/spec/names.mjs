// Lists of names of the language, from the sections that define them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plain, quotedNames, rows, sectionAt, sections, squeeze, tables } from "./bikeshed.mjs";
import { normaliseType } from "./signatures.mjs";

export function languageNames(source, folder) {
  const list = sections(source);
  const at = (anchor) => sectionAt(list, anchor);
  const names = (anchor) => quotedNames(at(anchor));
  return {
    keywords: definitions(source, "syntax_kw"),
    reservedWords: readFileSync(join(folder, "wgsl.reserved.plain"), "utf8").split(/\s+/).filter(Boolean),
    tokens: [...source.matchAll(/<dfn for=syntax_sym lt='(\w+)' noexport>`'([^`]+)'`/g)].map((m) => ({
      name: m[1],
      text: m[2],
    })),
    productions: productions(folder),
    attributes: names("attribute-names").sort(),
    builtinValues: builtinValues(at("builtin-inputs-outputs")),
    enableExtensions: names("extension-names").filter((name) => extensionKind(source, name) === "extension"),
    languageExtensions: names("extension-names").filter((name) => extensionKind(source, name) === "language_extension"),
    diagnosticRules: names("diagnostic-rule-names"),
    severities: names("diagnostic-severity-control-names"),
    interpolationTypes: names("interpolation-type-names"),
    interpolationSamplings: names("interpolation-sampling-names"),
    depthModes: names("depth-mode-names"),
    texelFormats: texelFormats(at("texel-formats")),
    addressSpaces: addressSpaces(at("address-space")),
    enumerants: enumerants(at("predeclared-enumerants")),
    types: [...at("predeclared-types").text.matchAll(/^\* \[=(?:type\/)?(\w+)=\]/gm)].map((match) => match[1]),
    typeGenerators: typeGenerators(at("predeclared-types")),
    typeAliases: Object.fromEntries([at("vector-types"), at("matrix-types")].flatMap(aliases)),
    limits: limits(at("limits")),
  };
}

function definitions(source, scope) {
  return [...source.matchAll(new RegExp(`<dfn for=${scope} noexport>\`([^\`]+)\`</dfn>`, "g"))].map(
    (match) => match[1],
  );
}

function extensionKind(source, name) {
  return new RegExp(`<a for=(extension|language_extension) lt=${name}>`).exec(source)[1];
}

/** Names of the grammar's productions. */
function productions(folder) {
  return readdirSync(join(folder, "syntax"))
    .flatMap((file) => [
      ...readFileSync(join(folder, "syntax", file), "utf8").matchAll(/<dfn for=syntax>(\w+)<\/dfn>/g),
    ])
    .map((match) => match[1])
    .sort();
}

function cellTexts(section) {
  return tables(section.text)
    .flatMap(rows)
    .map((row) => row.cells.map((cell) => squeeze(plain(cell))));
}

/** One entry for each use: name, stage and direction. */
function builtinValues(section) {
  return cellTexts(section)
    .filter((cells) => cells.length >= 4 && /^(?:input|output)$/.test(cells[2]))
    .map(([name, stage, direction, type, extension]) => ({
      name,
      stage,
      direction,
      type: normaliseType(type.replace(/ \(.*$/, "")),
      requires: extension ? extension.split(" and ") : [],
    }));
}

function texelFormats(section) {
  return cellTexts(section)
    .filter((cells) => /^vec4<\w+>\(/.test(cells[3] ?? ""))
    .map(([name, , channels, value, extension]) => ({
      name,
      channels: channels.replaceAll(/[,\s]/g, ""),
      type: /^vec4<(\w+)>/.exec(value)[1],
      requires: extension || null,
    }));
}

function addressSpaces(section) {
  return cellTexts(section)
    .filter((cells) => /^read/.test(cells[2] ?? ""))
    .map(([name, , defaultAccess]) => ({ name, defaultAccess }));
}

function enumerants(section) {
  const found = {};
  for (const [kind, name] of cellTexts(section)) {
    const known = /^(access mode|address space|texel format)/.exec(kind)?.[1];
    if (known) (found[known] ??= []).push(name);
  }
  return found;
}

function typeGenerators(section) {
  return cellTexts(section)
    .slice(1)
    .map(([name]) => name);
}

/** `vec2f` → `vec2<f32>`. */
function aliases(section) {
  return cellTexts(section)
    .filter((cells) => /^(?:vec|mat)\w+[iufh]$/.test(cells[0] ?? ""))
    .map(([name, type]) => [name, normaliseType(type)]);
}

/** The quantifiable limits, under names of our own; the order of the patterns decides. */
const limitNames = [
  [/members in a structure/, "structureMembers"],
  [/nesting depth of a composite/, "compositeNesting"],
  [/brace-enclosed/, "statementNesting"],
  [/parameters for a function/, "functionParameters"],
  [/case selector/, "caseSelectors"],
  [/private address space/, "privateBytes"],
  [/function address space/, "functionBytes"],
  [/workgroup address space/, "workgroupBytes"],
  [/immediate data/, "immediateBytes"],
  [/value constructor expression of array/, "arrayConstructorElements"],
];

function limits(section) {
  const found = cellTexts(section)
    .slice(1)
    .map(([text, value]) => {
      const known = limitNames.find(([pattern]) => pattern.test(text));
      if (!known) throw new Error(`unknown limit: ${text}`);
      return [known[1], Number(/\d+/.exec(value)[0])];
    });
  return Object.fromEntries(found);
}
