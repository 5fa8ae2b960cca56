/** What WGSL itself offers at each kind of place; made once. */
import { ATTRIBUTES } from "../analysis/attributes.ts";
import { SAMPLINGS } from "../analysis/interface-values.ts";
import { predeclared, predeclaredNames } from "../analysis/predeclared.ts";
import { BUILTIN_VALUE_NAMES, builtinValues } from "../builtins/builtin-values.ts";
import { returnsOf } from "../builtins/docs.ts";
import { ENABLE_EXTENSIONS, LANGUAGE_EXTENSIONS } from "../builtins/extensions.ts";
import { BUILTIN_NAMES, isConstructorName, rowsOf } from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { TEXEL_FORMAT_NAMES } from "../builtins/texel-formats.ts";
import { FILTER_SEVERITIES, knownRules } from "../diagnostics/filter.ts";
import { specAddress } from "../diagnostics/print.ts";
import { typeName } from "../types/type.ts";
import { typeAnchor, wordAnchor } from "./anchors.ts";
import type { Word } from "./names.ts";
import type { Place } from "./place.ts";
import type { Completion, CompletionKind } from "./types.ts";

/** Predeclared things come behind all that the text declares. */
export const RANK = { local: 0, module: 1, member: 0, keyword: 2, predeclared: 3 } as const;

export function completion(label: string, kind: CompletionKind, more: Partial<Completion> = {}): Completion {
  const rank = kind === "keyword" ? RANK.keyword : RANK.predeclared;
  return { label, kind, detail: "", overloads: 0, isCall: false, documentation: null, rank, ...more };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function link(anchor: string | null): string {
  return anchor === null ? "" : `[${anchor}](${specAddress(anchor)})`;
}

function lines(...parts: readonly (string | null)[]): string | null {
  const text = parts.filter((part) => part !== null && part !== "").join("\n\n");
  return text === "" ? null : text;
}

/** What must be written at the head of the module; null: nothing. */
function needText({ enable, requires }: Pick<BuiltinRow, "enable" | "requires">): string | null {
  if (enable !== null) return `needs \`enable ${enable};\``;
  return requires === null ? null : `needs \`requires ${requires};\``;
}

export const builtinFunctions = once((): readonly Completion[] =>
  BUILTIN_NAMES.map((name) => {
    const rows = rowsOf(name);
    const [first] = rows;
    const returned = returnsOf(name);
    return completion(name, "builtin-function", {
      detail: first.signature,
      overloads: rows.length - 1,
      isCall: true,
      documentation: lines(returned === null ? null : `returns ${returned}`, needText(first), link(first.spec)),
    });
  }),
);

export const builtinTypes = once((): readonly Completion[] =>
  [...predeclaredNames()]
    .filter((name) => predeclared(name)?.kind === "builtin-type")
    .map((name) => completion(name, "type", { documentation: lines(link(typeAnchor(name))) })),
);

/** Types of which values can be made. */
export const constructors = once((): readonly Completion[] =>
  builtinTypes()
    .filter(({ label }) => /^(?:bool|[iuf]32|f16)$/.test(label) || /[iufh]$/.test(label) || isConstructorName(label))
    .filter(({ label }) => /^(?:bool|[iuf]\d|vec|mat|array)/.test(label))
    .map((item) => ({ ...item, isCall: true })),
);

export const attributes = once((): readonly Completion[] =>
  [...ATTRIBUTES].map(([name, { takesArguments }]) =>
    completion(name, "attribute", {
      isCall: takesArguments,
      documentation: lines(link(wordAnchor("attribute", name))),
    }),
  ),
);

function keywords(text: string): () => readonly Completion[] {
  return once(() => text.split(" ").map((word) => completion(word, "keyword")));
}

export const declarationKeywords = keywords(
  "fn var const override struct alias const_assert enable requires diagnostic",
);
export const clauseKeywords = keywords("case default");
export const statementKeywords = keywords(
  "var let const if else for while loop switch break continue continuing return discard const_assert",
);
export const literalKeywords = keywords("true false");

type Words = Extract<Place, { readonly kind: "words" }>["words"];

const WORDS: Readonly<Record<Words, () => readonly Completion[]>> = {
  attribute: attributes,
  "builtin-value": once(() => BUILTIN_VALUE_NAMES.map(builtinValue)),
  interpolation: once(() => {
    const names = new Set([...Object.keys(SAMPLINGS), ...Object.values(SAMPLINGS).flat()]);
    return [...names].map((name) => completion(name, "enumerant"));
  }),
  severity: once(() => FILTER_SEVERITIES.map((name) => completion(name, "severity"))),
  rule: once(() => [...new Set(knownRules())].map((name) => completion(name, "rule"))),
  "enable-extension": once(() => [...ENABLE_EXTENSIONS.keys()].map((name) => extension("enable-extension", name))),
  "language-extension": once(() => [...LANGUAGE_EXTENSIONS].map((name) => extension("language-extension", name))),
  "address-space": enumerants((name) => /^(?:function|private|workgroup|uniform|storage|immediate)$/.test(name)),
  "access-mode": enumerants((name) => /^(?:read|write|read_write)$/.test(name)),
  "texel-format": enumerants((name) => TEXEL_FORMAT_NAMES.includes(name)),
};

export function words(kind: Words): readonly Completion[] {
  return WORDS[kind]();
}

function extension(word: Word, name: string): Completion {
  return completion(name, "extension", { documentation: lines(link(wordAnchor(word, name))) });
}

function builtinValue(name: string): Completion {
  const uses = builtinValues(name);
  const detail = uses.map(
    ({ stage, direction, type }) => `${stage} ${direction}: ${type === null ? "array" : typeName(type)}`,
  );
  return completion(name, "builtin-value", {
    detail: detail.join(", "),
    documentation: lines(needText(uses[0]), link(wordAnchor("builtin-value", name))),
  });
}

function enumerants(wanted: (name: string) => boolean): () => readonly Completion[] {
  return once(() =>
    [...predeclaredNames()]
      .filter((name) => predeclared(name)?.kind === "enumerant" && wanted(name))
      .map((name) => completion(name, "enumerant")),
  );
}
