/**
 * The JSON Schema of launch files: what editors complete from and what halay checks a launch against (one text for both;
 * `schema/launch.schema.json` is written from here).
 */

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

const dispatchProperties: Readonly<Record<string, Schema>> = {
  shader: text("path of the shader, beside this file"),
  entry: text("entry point; needed only when there are several"),
  workgroups: ref("workgroups"),
  invocations: count("invocations along x, rounded up to workgroups; instead of workgroups"),
  overrides: map(
    { anyOf: [{ type: "number" }, { type: "boolean" }] },
    "values of pipeline-overridable constants, by name or @id",
  ),
};

export const LAUNCH_SCHEMA: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "launch.schema.json",
  title: "halay launch",
  description: "What one run of a WGSL compute shader needs: entry point, workgroups, buffers, expectations",
  type: "object",
  properties: {
    $schema: text("address of this schema"),
    ...dispatchProperties,
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
          ...dispatchProperties,
          bind: map({ type: "string" }, "which buffer a variable is bound to, where the names differ"),
          repeat: { type: "integer", minimum: 1, description: "how many times" },
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
    contents: {
      description: "contents of a buffer: a SPEC string, or one of the object forms",
      anyOf: [
        { type: "string" },
        { type: "number" },
        { type: "array" },
        one("values", anything("nested JSON by layout")),
        one("file", text("a .bin, .npy, .json or .csv file beside this one")),
        one("u32", { type: "array", items: { type: "integer", minimum: 0, maximum: 4294967295 } }),
        one("i32", { type: "array", items: { type: "integer", minimum: -2147483648, maximum: 2147483647 } }),
        one("f32", { type: "array", items: { anyOf: [{ type: "number" }, { type: "string" }] } }),
        one("bytes", text("base64")),
        one("same", text("group.binding of the buffer that this one is")),
        one("unwritten", count("elements of a buffer that the host does not fill")),
        one("spec", text("a SPEC string, with unordered or count beside it")),
      ],
    },
  },
};

export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Checks plain data against a schema; the first problem on each path, in order. Knows the keywords of `Schema` and no others. */
export function checkSchema(value: unknown, schema: Schema, root: Schema = schema): readonly SchemaProblem[] {
  return [...problems(value, schema, root, [])];
}

function* problems(
  value: unknown,
  schema: Schema,
  root: Schema,
  path: readonly (string | number)[],
): Generator<SchemaProblem> {
  if (schema.$ref !== undefined) {
    yield* problems(value, root.$defs?.[schema.$ref.slice("#/$defs/".length)] ?? {}, root, path);
  } else if (schema.anyOf !== undefined) {
    yield* closest(value, schema.anyOf, root, path);
  } else if (schema.type !== undefined && !hasType(value, schema.type)) {
    yield { path, message: `expected ${article(schema.type)}, found ${kindOf(value)}` };
  } else if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum)
      yield { path, message: `${value} is less than ${schema.minimum}` };
    if (schema.maximum !== undefined && value > schema.maximum)
      yield { path, message: `${value} is more than ${schema.maximum}` };
  } else if (Array.isArray(value)) {
    yield* arrayProblems(value, schema, root, path);
  } else if (typeof value === "object" && value !== null) {
    yield* objectProblems(value as Record<string, unknown>, schema, root, path);
  }
}

/** Problems with the alternative that fits best: the one with the fewest, deepest problems. */
function* closest(
  value: unknown,
  alternatives: readonly Schema[],
  root: Schema,
  path: readonly (string | number)[],
): Generator<SchemaProblem> {
  let best: readonly SchemaProblem[] | null = null;
  let kinds = "";
  for (const alternative of alternatives) {
    const found = [...problems(value, alternative, root, path)];
    if (found.length === 0) return;
    kinds += `${kinds === "" ? "" : " or "}${article(alternative.type ?? "object")}`;
    const fits = alternative.type === undefined || hasType(value, alternative.type);
    if (fits && (best === null || found.length < best.length)) best = found;
  }
  if (best !== null) yield* best;
  else yield { path, message: `expected ${[...new Set(kinds.split(" or "))].join(" or ")}, found ${kindOf(value)}` };
}

function* arrayProblems(
  value: readonly unknown[],
  schema: Schema,
  root: Schema,
  path: readonly (string | number)[],
): Generator<SchemaProblem> {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    yield { path, message: `expected at least ${schema.minItems} items, found ${value.length}` };
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    yield { path, message: `expected at most ${schema.maxItems} items, found ${value.length}` };
  }
  if (schema.items === undefined) return;
  for (const [i, item] of value.entries()) yield* problems(item, schema.items, root, [...path, i]);
}

function* objectProblems(
  value: Record<string, unknown>,
  schema: Schema,
  root: Schema,
  path: readonly (string | number)[],
): Generator<SchemaProblem> {
  for (const name of schema.required ?? []) {
    if (!(name in value)) yield { path, message: `‘${name}’ is missing` };
  }
  for (const [name, part] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties ?? {}, name)
      ? schema.properties?.[name]
      : schema.additionalProperties;
    if (typeof known === "object") yield* problems(part, known, root, [...path, name]);
    else if (known === false) {
      const names = Object.keys(schema.properties ?? {}).filter((n) => n !== "$schema");
      yield { path: [...path, name], message: `‘${name}’ is not known here; known are ${names.join(", ")}` };
    }
  }
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

function article(type: string): string {
  return type === "integer" ? "a whole number" : type === "object" || type === "array" ? `an ${type}` : `a ${type}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "number" ? String(value) : article(typeof value);
}
