/** What every module finds declared before it begins. spec: #predeclared */
import { BUILTIN_NAMES, isBuiltinName } from "../builtins/resolve.ts";
import { TEXEL_FORMAT_NAMES } from "../builtins/texel-formats.ts";
import type { PredeclaredEntity } from "./program.ts";

/** spec: #predeclared-types */
const SCALAR_NAMES = ["bool", "i32", "u32", "f32", "f16"];
const TEXTURE_NAMES = [
  "texture_1d",
  "texture_2d",
  "texture_2d_array",
  "texture_3d",
  "texture_cube",
  "texture_cube_array",
  "texture_multisampled_2d",
  "texture_depth_multisampled_2d",
  "texture_external",
  "texture_storage_1d",
  "texture_storage_2d",
  "texture_storage_2d_array",
  "texture_storage_3d",
  "texture_depth_2d",
  "texture_depth_2d_array",
  "texture_depth_cube",
  "texture_depth_cube_array",
];
const SIZES = [2, 3, 4];
const VECTOR_NAMES = SIZES.flatMap((size) => ["", "i", "u", "f", "h"].map((suffix) => `vec${size}${suffix}`));
const MATRIX_NAMES = SIZES.flatMap((columns) =>
  SIZES.flatMap((rows) => ["", "f", "h"].map((suffix) => `mat${columns}x${rows}${suffix}`)),
);
const TYPE_NAMES: readonly string[] = [
  ...SCALAR_NAMES,
  ...VECTOR_NAMES,
  ...MATRIX_NAMES,
  "atomic",
  "array",
  "ptr",
  "buffer",
  "sampler",
  "sampler_comparison",
  ...TEXTURE_NAMES,
];

/** Those that are written in a program. spec: #predeclared-enumerants */
export const ACCESS_MODE_NAMES: readonly string[] = ["read", "write", "read_write"];
export const ADDRESS_SPACE_NAMES: readonly string[] = [
  "function",
  "private",
  "workgroup",
  "uniform",
  "storage",
  "immediate",
];
const ENUMERANT_NAMES = [...ACCESS_MODE_NAMES, ...ADDRESS_SPACE_NAMES, ...TEXEL_FORMAT_NAMES];

/** Keeps what its name stands for, for those who ask at each mention. */
class Predeclared {
  readonly kind: PredeclaredEntity["kind"];
  readonly name: string;
  #sense: unknown = undefined;

  constructor(kind: PredeclaredEntity["kind"], name: string) {
    this.kind = kind;
    this.name = name;
  }

  static senseOf(entity: PredeclaredEntity, find: (name: string) => unknown): unknown {
    const object = entity as Predeclared;
    if (object.#sense === undefined) object.#sense = find(object.name);
    return object.#sense;
  }
}

/** What the name of a predeclared object stands for: `find` is asked once, and the same for all objects of a kind. */
export function senseOf<Sense>(entity: PredeclaredEntity, find: (name: string) => Sense): Sense {
  return Predeclared.senseOf(entity, find) as Sense;
}

function entityOf(kind: PredeclaredEntity["kind"], name: string): PredeclaredEntity {
  return new Predeclared(kind, name) as PredeclaredEntity;
}

const ENTITIES: ReadonlyMap<string, PredeclaredEntity> = new Map<string, PredeclaredEntity>([
  ...TYPE_NAMES.map((name): [string, PredeclaredEntity] => [name, entityOf("builtin-type", name)]),
  ...ENUMERANT_NAMES.map((name): [string, PredeclaredEntity] => [name, entityOf("enumerant", name)]),
]);

/** Those that were asked for. */
const known = new Map<string, PredeclaredEntity>();

/** The predeclared object of a name; null when there is none. */
export function predeclared(name: string): PredeclaredEntity | null {
  const entity = known.get(name);
  if (entity !== undefined) return entity;
  const found = find(name);
  if (found !== null) known.set(name, found);
  return found;
}

function find(name: string): PredeclaredEntity | null {
  const entity = ENTITIES.get(name);
  if (entity !== undefined) return entity;
  return isBuiltinName(name) ? entityOf("builtin-function", name) : null;
}

export function* predeclaredNames(): Iterable<string> {
  yield* ENTITIES.keys();
  yield* BUILTIN_NAMES;
}
