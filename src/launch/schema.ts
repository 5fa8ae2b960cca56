/**
 * The JSON Schema of launch files: what editors complete from and what halay checks a launch against (one text for both;
 * `schema/launch.schema.json` is written from here).
 */
import "../diagnostics/catalogue-beyond.ts";
import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import { type MessageArgs, type MessageValue, type Phrase, phrase } from "../diagnostics/diagnostic.ts";

import { nearestName } from "../text/nearest.ts";

export interface Schema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const text = (description: string): Schema => ({ type: "string", description });
const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const anything = (description: string): Schema => ({ description });
const map = (values: Schema, description: string): Schema => ({
  type: "object",
  additionalProperties: values,
  description,
});
const one = (name: string, schema: Schema): Schema => ({
  type: "object",
  properties: { [name]: schema, unordered: ref("unordered"), count: ref("count") },
  required: [name],
  additionalProperties: false,
});

/** Each is told of in the result: of more, nobody waits for the end. */
const MOST_REPETITIONS = 2 ** 20;

const FILE_SHADER = text("path of the shader, beside this file");

const dispatchProperties = (shader: Schema): Readonly<Record<string, Schema>> => ({
  shader,
  entry: text("entry point; needed only when there are several"),
  workgroups: ref("workgroups"),
  invocations: {
    type: "integer",
    minimum: 1,
    description: "number of invocations, rounded up to workgroups along x; instead of workgroups",
  },
  overrides: map(
    { anyOf: [{ type: "number" }, { type: "boolean" }] },
    "values of pipeline-overridable constants, by name or @id",
  ),
});

const FILE_CONTENTS: Schema = {
  description: "contents of a buffer: a SPEC string, or one of the object forms",
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "array" },
    one("values", anything("nested JSON by layout")),
    one("file", text("a .bin, .npy, .json, .csv, .png or .safetensors#name file beside this one")),
    one("u32", { type: "array", items: { type: "integer", minimum: 0, maximum: 4294967295 } }),
    one("i32", { type: "array", items: { type: "integer", minimum: -2147483648, maximum: 2147483647 } }),
    one("f32", { type: "array", items: { anyOf: [{ type: "number" }, { type: "string" }] } }),
    one("bytes", text("base64")),
    one("same", text("group.binding of the buffer that this one is")),
    one("unwritten", count("elements of a buffer that the host does not fill")),
    one("spec", text("a SPEC string, with unordered or count beside it")),
  ],
};

const launchSchema = (shader: Schema, contents: Schema): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "launch.schema.json",
  title: "halay launch",
  description: "What one run of a WGSL compute shader needs: entry point, workgroups, buffers, expectations",
  type: "object",
  properties: {
    $schema: text("address of this schema"),
    ...dispatchProperties(shader),
    call: text("fn(args): run one function per invocation; ‘invocation’ is a name in the arguments"),
    buffers: map(ref("contents"), "initial contents by WGSL variable name or group.binding"),
    set: map(anything("value"), "values put into the buffers before the first dispatch, by path"),
    read: { type: "array", items: { type: "string" }, description: "buffers to read back: name or name:FROM..TO" },
    expect: map(ref("contents"), "what the buffers must hold after the run"),
    tolerance: {
      type: "object",
      properties: {
        abs: { type: "number", minimum: 0, description: "absolute difference" },
        rel: { type: "number", minimum: 0, description: "difference relative to the expected value" },
        ulp: { type: "number", minimum: 0, description: "units in the last place" },
      },
      additionalProperties: false,
      description: "how far a float may be off; any one that is met suffices",
    },
    hostLayout: map(
      {
        type: "object",
        properties: {
          stride: count("bytes between array elements or matrix columns"),
          size: count("bytes"),
          members: map(
            {
              anyOf: [
                { type: "integer", minimum: 0 },
                {
                  type: "object",
                  properties: { offset: count("bytes"), size: count("bytes") },
                  required: ["offset"],
                  additionalProperties: false,
                },
              ],
            },
            "byte offset by member name",
          ),
        },
        additionalProperties: false,
      },
      "what the host code takes a layout to be, by structure name, buffer name or group.binding",
    ),
    steps: {
      type: "array",
      minItems: 1,
      description: "several dispatches, in order",
      items: {
        type: "object",
        properties: {
          ...dispatchProperties(shader),
          bind: map({ type: "string" }, "which buffer a variable is bound to, where the names differ"),
          repeat: { type: "integer", minimum: 1, maximum: MOST_REPETITIONS, description: "how many times" },
          swap: {
            type: "array",
            items: { type: "string" },
            minItems: 2,
            maxItems: 2,
            description: "two buffers that change names after each repetition",
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
  $defs: {
    workgroups: {
      description: "groups along x, y, z, or taken from a buffer",
      anyOf: [
        { type: "array", items: { type: "integer", minimum: 0, maximum: 65535 }, minItems: 1, maxItems: 3 },
        { type: "integer", minimum: 0, maximum: 65535 },
        {
          type: "object",
          properties: { indirect: text("buffer that holds three u32"), offset: count("byte offset in it") },
          required: ["indirect"],
          additionalProperties: false,
        },
      ],
    },
    unordered: { type: "boolean", description: "of an expectation: compare as a multiset" },
    count: {
      description: "of an expectation: how many elements count, a number or the path of a value",
      anyOf: [{ type: "integer", minimum: 0 }, { type: "string" }],
    },
    contents,
  },
});

/** Every name that an object form of contents may hold. */
export const FORM_NAMES: ReadonlySet<string> = new Set(
  FILE_CONTENTS.anyOf?.flatMap(({ properties }) => Object.keys(properties ?? {})),
);

export const LAUNCH_SCHEMA = launchSchema(FILE_SHADER, FILE_CONTENTS);

/** Of a launch made in code: what is a shader and what contents of a buffer those say who take them. */
export const CODE_SCHEMA = launchSchema(anything("source text, or a Program"), anything("contents of a buffer"));

/** A fault of plain data: what the catalogue needs to tell it, and where it is. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly code: Extract<DiagnosticCode, `launch-${string}`>;
  readonly args: MessageArgs;
  /** The name that may have been meant. */
  readonly near: string | null;
  /** The name of the entry is at fault, not its value. */
  readonly onKey: boolean;
}

type Found = Omit<SchemaProblem, "path"> & { readonly path: (string | number)[] };

/** Checks plain data against a schema; the problems in order. Knows the keywords of `Schema` and no others. */
export function checkSchema(value: unknown, schema: Schema, root: Schema = schema): readonly SchemaProblem[] {
  return problems(value, schema, root);
}

function problem(code: SchemaProblem["code"], args: MessageArgs): Found {
  return { path: [], code, args, near: null, onKey: false };
}

function problems(value: unknown, schema: Schema, root: Schema): Found[] {
  if (schema.$ref !== undefined) return problems(value, root.$defs?.[schema.$ref.slice("#/$defs/".length)] ?? {}, root);
  if (schema.anyOf !== undefined) return closest(value, schema.anyOf, root);
  if (schema.type !== undefined && !hasType(value, schema.type)) {
    return [problem("launch-type", { expected: article(schema.type), found: kindOf(value) })];
  }
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum) {
      return [problem("launch-too-small", { value, limit: schema.minimum })];
    }
    if (schema.maximum !== undefined && value > schema.maximum) {
      return [problem("launch-too-large", { value, limit: schema.maximum })];
    }
    return [];
  }
  if (isOpen(schema)) return []; // Megabytes of contents may stand here.
  if (Array.isArray(value)) return arrayProblems(value, schema, root);
  return typeof value === "object" && value !== null
    ? objectProblems(value as Record<string, unknown>, schema, root)
    : [];
}

/** Takes whatever is there. */
function isOpen({ type, properties, additionalProperties, required, items }: Schema): boolean {
  return [type, properties, additionalProperties, required, items].every((each) => each === undefined);
}

/** Problems with the alternative that fits best: that of the value's type with the fewest and deepest problems. */
function closest(value: unknown, alternatives: readonly Schema[], root: Schema): Found[] {
  let best: Found[] | null = null;
  const kinds = new Map<string, Phrase>();
  for (const given of alternatives) {
    const alternative = given.$ref === undefined ? given : (root.$defs?.[given.$ref.slice("#/$defs/".length)] ?? {});
    const found = problems(value, alternative, root);
    if (found.length === 0) return [];
    kinds.set(alternative.type ?? "object", article(alternative.type ?? "object"));
    const fits = alternative.type === undefined || hasType(value, alternative.type);
    if (
      fits &&
      (best === null || depth(found) > depth(best) || (depth(found) === depth(best) && found.length < best.length))
    ) {
      best = found;
    }
  }
  if (best !== null && (depth(best) > 0 || best[0].code !== "launch-missing"))
    return bestOrForms(value, best, alternatives);
  const forms = formsOf(alternatives);
  if (best !== null && forms === "") return best;
  const either = [...kinds.values()].reduce((first, second) => phrase("one-or-other", { first, second }));
  const expected = best !== null ? forms : either;
  return [problem("launch-type", { expected, found: kindOf(value) })];
}

/** An object with a name that no alternative knows is told of all the forms, not of one of them. */
function bestOrForms(value: unknown, best: Found[], alternatives: readonly Schema[]): Found[] {
  const forms = formsOf(alternatives);
  const strange = best.find((found) => found.code === "launch-unknown-key");
  if (forms === "" || strange === undefined || typeof value !== "object") return best;
  const missing = best.some((found) => found.code === "launch-missing");
  if (!missing) return best;
  const near = nearestName(String(strange.args.name), formNames(alternatives));
  return [{ ...strange, near, args: { ...strange.args, known: forms } }];
}

/** The object forms by their first required names: `‘values’, ‘file’`. */
function formsOf(alternatives: readonly Schema[]): string {
  const names = formNames(alternatives);
  return names.length < 2 ? "" : names.map((name) => `‘${name}’`).join(", ");
}

function formNames(alternatives: readonly Schema[]): readonly string[] {
  return alternatives.flatMap((alternative) => alternative.required?.slice(0, 1) ?? []);
}

function depth(found: readonly Found[]): number {
  return Math.max(...found.map((each) => each.path.length));
}

function arrayProblems(value: readonly unknown[], schema: Schema, root: Schema): Found[] {
  const found: Found[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    found.push(problem("launch-too-few", { expected: schema.minItems, found: value.length }));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    found.push(problem("launch-too-many", { expected: schema.maxItems, found: value.length }));
  }
  if (schema.items === undefined) return found;
  for (let i = 0; i < value.length; i++) found.push(...below(i, problems(value[i], schema.items, root)));
  return found;
}

function objectProblems(value: Record<string, unknown>, schema: Schema, root: Schema): Found[] {
  const found: Found[] = [];
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) found.push(problem("launch-missing", { name }));
  }
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue; // In code that is to say nothing; JSON has none.
    const isNamed = Object.hasOwn(schema.properties ?? {}, name);
    const known = isNamed ? schema.properties?.[name] : schema.additionalProperties;
    if (typeof known === "object") found.push(...below(name, problems(part, known, root)));
    else if (known === false) {
      const names = Object.keys(schema.properties ?? {}).filter((n) => n !== "$schema");
      const args = { name, known: names.map((n) => `‘${n}’`).join(", ") };
      found.push({ path: [name], code: "launch-unknown-key", args, near: nearestName(name, names), onKey: true });
    }
  }
  return found;
}

/** The same problems seen from one level further out. */
function below(step: string | number, found: Found[]): Found[] {
  for (const each of found) each.path.unshift(step);
  return found;
}

function hasType(value: unknown, type: NonNullable<Schema["type"]>): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return (typeof value as string) === type;
  }
}

function article(type: string): Phrase {
  switch (type) {
    case "object":
    case "array":
    case "number":
    case "integer":
    case "string":
    case "boolean":
      return phrase(`json-${type}`);
    default:
      return phrase("json-other", { type });
  }
}

/** What a value is, for messages. */
export function kindOf(value: unknown): MessageValue {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return phrase("json-array");
  return typeof value === "number" ? String(value) : article(typeof value);
}

/** The text of the schema file. */
export function schemaText(): string {
  return `${JSON.stringify(LAUNCH_SCHEMA, null, 2)}\n`;
}
