import { expect, test } from "vitest";
import { listFiles, read } from "../../test/house/tree.ts";
import { check } from "../check.ts";
import { CATALOGUE, FIXES, NOTES, PHRASES } from "./catalogue.ts";
import { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "./catalogue-advice.ts";
import { ANALYSIS, ANALYSIS_PHRASES } from "./catalogue-analysis.ts";
import { EVALUATION_PHRASES } from "./catalogue-evaluation.ts";
import { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "./catalogue-findings.ts";
import { FIX_TITLES } from "./catalogue-fixes.ts";
import { LAUNCH, LAUNCH_PHRASES } from "./catalogue-launch.ts";
import { NOTE_TEXTS } from "./catalogue-notes.ts";
import { SYNTAX, SYNTAX_PHRASES } from "./catalogue-syntax.ts";
import { UNIFORMITY, UNIFORMITY_FIXES, UNIFORMITY_NOTES } from "./catalogue-uniformity.ts";
import { diagnostic, note, phrase } from "./diagnostic.ts";
import { ES } from "./languages/es.ts";
import type { Language } from "./languages/language.ts";
import { TR } from "./languages/tr.ts";
import { languageOf, translated } from "./translate.ts";

const OTHERS: readonly (readonly [string, Language])[] = [
  ["es", ES],
  ["tr", TR],
];

/** English texts and those of a language, with their kind and code. */
function pairs(own: Language): [name: string, english: string, text: string][] {
  const texts = Object.entries(own.texts).map(([code, text]): [string, string, string] => [
    `text ${code}`,
    CATALOGUE[code as keyof typeof CATALOGUE].text,
    text as string,
  ]);
  const others = [
    ["note", NOTES, own.notes],
    ["fix", FIXES, own.fixes],
    ["phrase", PHRASES, own.phrases],
  ] as const;
  return [
    ...texts,
    ...others.flatMap(([kind, english, said]) =>
      Object.entries(said).map(([code, text]): [string, string, string] => [
        `${kind} ${code}`,
        (english as Readonly<Record<string, string>>)[code],
        text,
      ]),
    ),
  ];
}

function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

test.each(OTHERS)("%s names the same values as the English texts", (_, own) => {
  for (const [name, english, text] of pairs(own)) {
    expect([name, placeholders(text)]).toEqual([name, placeholders(english)]);
  }
});

test.each(OTHERS)("%s keeps to the house style: lower case, no full stop, balanced quotes", (_, own) => {
  for (const [name, , text] of pairs(own)) {
    expect(`${name}: ${text}`).not.toMatch(/\.$/);
    expect(text.split("‘").length, `${name}: ${text}`).toBe(text.split("’").length);
    expect(text[0], `${name}: ${text}`).toBe(/^(WGSL|NaN)/.test(text) ? text[0] : text[0].toLocaleLowerCase("tr"));
  }
});

test("no Turkish suffix is put to a name or a value", () => {
  for (const [name, , text] of pairs(TR))
    expect(`${name}: ${text}`).not.toMatch(/[}’]['’]\p{L}|’\p{L}|\}(?!u\b)\p{L}/u);
});

test("no code stands in two parts of the catalogue", () => {
  const kinds: readonly (readonly object[])[] = [
    [SYNTAX, ANALYSIS, UNIFORMITY, ADVICE, LAUNCH, FINDINGS],
    [NOTE_TEXTS, UNIFORMITY_NOTES, ADVICE_NOTES, FINDING_NOTES],
    [FIX_TITLES, UNIFORMITY_FIXES],
    // Phrases and messages are values of messages alike.
    [
      SYNTAX_PHRASES,
      ANALYSIS_PHRASES,
      ADVICE_PHRASES,
      ACCESS_PHRASES,
      FINDING_PHRASES,
      LAUNCH_PHRASES,
      EVALUATION_PHRASES,
      CATALOGUE,
    ],
  ];
  for (const parts of kinds) {
    const codes = parts.flatMap((part) => Object.keys(part));
    expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
  }
});

test("a message in another language is made of its code and values alone", () => {
  const span = { start: 0, end: 1 };
  const args = {
    path: "bins[3]",
    access: phrase("atomic-rmw", { atomic: "atomicAdd" }),
    invocation: "5",
    other: phrase("write"),
    line: 9,
    otherInvocation: "2",
  };
  const hint = note("hint-barrier", span, { barrier: "workgroupBarrier", line: 9 });
  const item = diagnostic("race-workgroup", span, args, { notes: [hint] });
  const spanish = translated(item, "es");
  expect(spanish.message).toBe(
    "‘bins[3]’ se modifica con atomicAdd aquí (invocación 5) y se escribe en la línea 9 (invocación 2), sin workgroupBarrier() entre ambos accesos",
  );
  expect(spanish.notes[0].message).toBe("workgroupBarrier() después de la línea 9 los ordena");
  expect(translated(item, "tr").message).toBe(
    "‘bins[3]’ burada invocation 5 tarafından atomicAdd ile değiştiriliyor, 9. satırda ise invocation 2 tarafından yazılıyor; arada workgroupBarrier() yok",
  );
  expect(translated(spanish, "en")).toEqual(item);
});

test("every message of the fixtures comes back from every language as it was", () => {
  const found = listFiles("test/fixtures", ".wgsl").flatMap((path) => check(read(path)).diagnostics);
  expect(found.length).toBeGreaterThan(200);
  for (const item of found) {
    for (const language of ["es", "tr"] as const) {
      const said = translated(item, language);
      expect(said.message).not.toMatch(/\{\w+\}|undefined|\[object/);
      expect(said.message).not.toBe(item.message);
      expect(translated(said, "en")).toEqual(item);
    }
  }
});

test("values that are words are said in the language too", () => {
  const item = diagnostic("launch-syntax", { start: 0, end: 1 }, { expected: phrase("a-name"), found: "x" });
  expect(translated(item, "es").message).toBe("se esperaba un nombre, se encontró x");
  expect(translated(translated(item, "es"), "en")).toEqual(item);
});

test.each([
  ["index-outside", "const a = array(1, 2)[2];", "el índice 2 está fuera de límites: hay 2 elementos"],
  ["divisor-zero", "const a = 1 / 0;", "el divisor es cero"],
  ["result-overflows", "const a = 9223372036854775807 + 1;", "el resultado desborda ‘abstract integer’"],
  ["low-above-high", "const a = clamp(1, 3, 2);", "low (3) es mayor que high (2)"],
  ["not-representable", "const a: u32 = -1;", "el valor -1 no se puede representar en ‘u32’"],
  ["bits-infinite", "const a = bitcast<f32>(0x7f800000u);", "los bits son un infinito como ‘f32’"],
])("why something cannot be computed: %s", (phrase, text, expected) => {
  const [item] = check(text, { advice: false }).diagnostics;
  expect(item).toMatchObject({ code: "evaluation-error", args: { problem: { phrase } } });
  expect(translated(item, "es").message).toContain(expected);
});

test("what another diagnostic says is said in the language", () => {
  const [item] = check("enable subgroups;", { target: "firefox" }).diagnostics;
  expect(item).toMatchObject({ code: "not-in-target", args: { problem: { phrase: "feature-missing" } } });
  expect(item.message).toMatch(/does not accept this: .*‘subgroups’/);
  expect(translated(item, "es").message).not.toMatch(/ (?:is|the|not) /);
  expect(translated(translated(item, "es"), "en")).toEqual(item);
});

test.each([
  ["es", "es"],
  ["es_MX.UTF-8", "es"],
  ["tr-TR", "tr"],
  ["C.UTF-8", null],
  ["estonian", null],
  ["", null],
] as const)("the locale %s is said in %s", (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});

/** Words of English that no name, code or text of WGSL holds. */
const ENGLISH =
  /(?:^|[ (])(?:the|is|are|of|by|and|with|nothing|line|found|expected|written|values?|has|have|not|but|this|that|which|be|such)(?=[ ,;:)]|$)/i;

test("nothing that is said of the fixtures stays English", () => {
  const found = [...listFiles("test/fixtures", ".wgsl"), ...listFiles("test/messages", ".wgsl")].flatMap(
    (path) => check(read(path), { target: ["chrome", "firefox"] }).diagnostics,
  );
  for (const item of found) {
    const { message, notes, fixes } = translated(item, "es");
    for (const text of [message, ...notes.map((each) => each.message), ...fixes.map(({ title }) => title)]) {
      expect(text.replace(/‘[^’]*’/g, "")).not.toMatch(ENGLISH);
    }
  }
});
