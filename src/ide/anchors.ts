/** The section of the specification about a name that WGSL itself gives a meaning. */
import type { NamedPlace, Word } from "./names.ts";

const WORD_ANCHORS: Readonly<Record<Word, (text: string) => string>> = {
  attribute: (text) => `#attribute-${text}`,
  "builtin-value": (text) => `#built-in-values-${text}`,
  interpolation: () => "#interpolation",
  severity: () => "#diagnostic-severity",
  rule: () => "#filterable-triggering-rules",
  "enable-extension": (text) => `#extension-${text}`,
  "language-extension": (text) => `#language_extension-${text}`,
};

export function wordAnchor(word: Word, text: string): string {
  return WORD_ANCHORS[word](text);
}

/** By the beginning of the name of a type; the first that fits. */
const TYPE_ANCHORS: readonly (readonly [RegExp, string])[] = [
  [/^bool$/, "#bool-type"],
  [/^[iu]32$/, "#integer-types"],
  [/^f/, "#floating-point-types"],
  [/^vec/, "#vector-types"],
  [/^mat/, "#matrix-types"],
  [/^atomic$/, "#atomic-types"],
  [/^array$/, "#array-types"],
  [/^ptr$/, "#ref-ptr-types"],
  [/^buffer$/, "#buffer-types"],
  [/^sampler/, "#sampler-type"],
  [/^texture_multisampled/, "#multisampled-texture-type"],
  [/^texture_depth/, "#texture-depth"],
  [/^texture_external$/, "#external-texture-type"],
  [/^texture_storage/, "#texture-storage"],
  [/^texture/, "#sampled-texture-type"],
];

export function typeAnchor(name: string): string | null {
  return TYPE_ANCHORS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const ENUMERANT_ANCHORS: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^(?:read|write|read_write)$/, () => "#access-mode"],
  [/^(?:function|private|workgroup|uniform|storage|handle|immediate)$/, (name) => `#address-spaces-${name}`],
  [/./, () => "#storage-texel-formats"],
];

export function enumerantAnchor(name: string): string {
  return ENUMERANT_ANCHORS.find(([pattern]) => pattern.test(name))![1](name);
}

/** null: the text itself declares it, or nobody does. */
export function anchorOf({ meaning, text }: NamedPlace): string | null {
  if (meaning.kind === "word") return wordAnchor(meaning.word, text);
  if (meaning.kind === "swizzle") return "#swizzle-names";
  if (meaning.kind !== "predeclared") return null;
  const { entity } = meaning;
  if (entity.kind === "builtin-type") return typeAnchor(entity.name);
  return entity.kind === "enumerant" ? enumerantAnchor(entity.name) : null;
}
