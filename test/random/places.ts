/** Finds memory and values of a type among the variables in scope, and makes literals. */
import type { Choice } from "./choice.ts";
import type { ModuleState, Place, Site, Variable } from "./scope.ts";
import { binaryParts, callParts, type Expression, expressionText, type Form, type Part } from "./tree.ts";
import {
  DOMAIN,
  F32,
  holds,
  holdsFloat,
  I32,
  MATRIX_DOMAIN,
  partsOf,
  type Range,
  type ScalarType,
  sameType,
  type Type,
  typeText,
  U32,
  vector,
  widest,
} from "./types.ts";

const COMPONENTS = ["xyzw", "rgba"] as const;

/** An expression of parts; const and uniform if all expressions in it are. */
export function combine(type: Type, form: Form, parts: readonly Part[], range?: Range): Expression {
  const values = parts.flatMap((part) =>
    typeof part === "string" || part.kind === "block" ? [] : part.kind === "operand" ? [part.value] : [part],
  );
  return {
    kind: "expression",
    type,
    form,
    parts,
    isConst: values.every((each) => each.isConst),
    isUniform: values.every((each) => each.isUniform),
    range: holdsFloat(type) ? (range ?? widest(DOMAIN, ...values.map((each) => each.range))) : DOMAIN,
  };
}

export function literalOf(choice: Choice, type: Type, bare = false): Expression {
  return { ...combine(type, "primary", literalParts(choice, type, bare)), isConst: true, isUniform: true };
}

function literalParts(choice: Choice, type: Type, bare: boolean): readonly Part[] {
  switch (type.kind) {
    case "scalar":
      return [scalarLiteral(choice, type, bare)];
    case "vector": {
      const count = choice.once(3) ? 1 : type.size;
      return callParts(vectorName(choice, type.size, type.element), elementLiterals(choice, type.element, count));
    }
    case "matrix": {
      const small = () => scalarText(choice.int(-4, 4), choice.pick([".0", "f", ".0f"]));
      return [
        `mat${type.columns}x${type.rows}f(${Array.from({ length: type.columns * type.rows }, small).join(", ")})`,
      ];
    }
    case "array":
      return callParts(typeText(type), elementLiterals(choice, type.element, type.count));
    case "struct":
      return callParts(
        type.name,
        type.members.map((member) => literalOf(choice, member.type)),
      );
  }
}

/** Not all zero: see `forSwiftShader`. */
function elementLiterals(choice: Choice, type: Type, count: number): Expression[] {
  const literals = Array.from({ length: count }, () => literalOf(choice, type));
  const isZero = literals.every((each) => /^\(?-?(?:0(?:x0)?(?:\.0)?[iuf]?|false)\)?$/.test(expressionText(each)));
  return isZero ? elementLiterals(choice, type, count) : literals;
}

function scalarText(value: number, suffix: string): string {
  return value < 0 || Object.is(value, -0) ? `(${value}${suffix})` : `${value}${suffix}`;
}

/** `bare`: without a suffix, where the context makes it the type. */
function scalarLiteral(choice: Choice, type: ScalarType, bare: boolean): string {
  switch (type.name) {
    case "bool":
      return choice.pick(["false", "true"]);
    case "i32": {
      const value = choice.weighted([6, choice.int(-8, 20)], [1, choice.int(-(2 ** 31) + 1, 2 ** 31 - 1)]);
      if (choice.once(30)) return "i32(-2147483648)";
      return scalarText(value, bare ? "" : "i");
    }
    case "u32": {
      const value = choice.weighted([6, choice.int(0, 33)], [1, choice.int(0, 2 ** 32 - 1)]);
      const text = choice.once(8) ? `0x${value.toString(16)}` : String(value);
      return `${text}${bare ? "" : "u"}`;
    }
    case "f32": {
      const value = choice.int(-128, 128) / 2;
      if (Number.isInteger(value))
        return scalarText(value, bare ? choice.pick(["", ".0", "."]) : choice.pick(["f", ".0f"]));
      return scalarText(value, bare ? "" : "f");
    }
  }
}

export function vectorName(choice: Choice, size: number, element: ScalarType): string {
  const short = { i32: "i", u32: "u", f32: "f", bool: null }[element.name];
  return short !== null && choice.once(2) ? `vec${size}${short}` : `vec${size}<${element.name}>`;
}

/** The type as WGSL, in one of the ways it can be written. */
export function writtenType(choice: Choice, type: Type): string {
  if (type.kind === "vector") return vectorName(choice, type.size, type.element);
  if (type.kind === "array") return `array<${writtenType(choice, type.element)}, ${type.count}>`;
  if (type.kind === "matrix" && choice.once(2)) return `mat${type.columns}x${type.rows}f`;
  return typeText(type);
}

export type MakeExpression = (type: Type, site: Site, depth: number) => Expression;

export interface PlaceOptions {
  readonly accepts: (variable: Variable) => boolean;
  /** Its address is wanted, so no component of a vector. */
  readonly addressable?: boolean;
}

export class Places {
  readonly #module: ModuleState;
  readonly #make: MakeExpression;

  /** `make` writes the indices. */
  constructor(module: ModuleState, make: MakeExpression) {
    this.#module = module;
    this.#make = make;
  }

  get #choice(): Choice {
    return this.#module.choice;
  }

  /** A variable of the type, or a part of one; null if there is none in scope. */
  find(wanted: Type, site: Site, depth: number, { accepts, addressable = false }: PlaceOptions): Place | null {
    const fits = (type: Type) => (addressable ? holdsAddressable(type, wanted) : holds(type, wanted));
    const candidates = site.scope.visible().filter((each) => accepts(each) && fits(each.type));
    if (candidates.length === 0) return null;
    const exact = candidates.filter((each) => sameType(each.type, wanted));
    const chosen = this.#choice.pick(exact.length > 0 && this.#choice.once(2) ? exact : candidates);
    return this.#descend(chosen, wanted, site, depth, fits);
  }

  #descend(variable: Variable, wanted: Type, site: Site, depth: number, fits: (type: Type) => boolean): Place {
    let { type, length } = variable;
    let domain = DOMAIN;
    const parts: Part[] = [variable.text];
    while (!sameType(type, wanted) || (partsOf(type).some(fits) && this.#choice.once(2))) {
      // spec: pointer_composite_access
      if (parts.length === 1 && variable.isPointer && this.#choice.once(2)) parts[0] = variable.name;
      if (type.kind === "matrix") domain = MATRIX_DOMAIN;
      if (type.kind === "struct") {
        const member = this.#choice.pick(type.members.filter((each) => fits(each.type)));
        parts.push(`.${member.name}`);
        type = member.type;
        continue;
      }
      if (type.kind === "vector" && this.#choice.once(2)) {
        parts.push(`.${this.#choice.pick(COMPONENTS)[this.#choice.int(0, type.size - 1)]}`);
      } else {
        parts.push("[", ...this.#index(countOf(type), length, site, depth), "]");
      }
      length = null;
      type = partsOf(type)[0];
    }
    if (type.kind === "matrix") domain = MATRIX_DOMAIN;
    return { parts, type, domain, variable, isVariable: parts.length === 1 };
  }

  /** An index into so many elements. */
  #index(count: number, length: string | null, site: Site, depth: number): readonly Part[] {
    const choice = this.#choice;
    if (depth <= 0 || choice.once(3)) return [`${choice.int(0, count - 1)}${choice.pick(["", "u", "i"])}`];
    const inner = { ...site };
    if (this.#module.options.outOfBounds && choice.once(6)) {
      return [this.#runtime(choice.pick([I32, U32]), inner, depth - 1)];
    }
    if (length !== null) return [...binaryParts("%", this.#runtime(U32, inner, depth - 1), raw(U32, length))];
    if ((count & (count - 1)) !== 0) {
      return binaryParts("%", this.#runtime(U32, inner, depth - 1), raw(U32, `${count}u`));
    }
    const type = choice.pick([I32, U32]);
    return binaryParts(
      "&",
      this.#runtime(type, inner, depth - 1),
      raw(type, `${count - 1}${choice.pick(["", suffix(type)])}`),
    );
  }

  /** Not known before the program runs. */
  #runtime(type: Type, site: Site, depth: number): Expression {
    const made = this.#make(type, site, depth);
    return made.isConst ? this.runtimeLeaf(type, site) : made;
  }

  /** The value of a place. */
  load({ parts, type, domain, variable }: Place): Expression {
    const made = combine(type, "primary", parts, domain);
    return {
      ...made,
      isConst: variable.isConst && made.isConst,
      isUniform: variable.isUniform && made.isUniform,
    };
  }

  /** A variable or a literal. */
  leaf(type: Type, site: Site, depth: number): Expression {
    if (this.#choice.once(4)) return literalOf(this.#choice, type);
    const place = this.find(type, site, Math.min(depth, 1), { accepts: (each) => !site.uniform || each.isUniform });
    return place === null ? literalOf(this.#choice, type) : this.load(place);
  }

  runtimeLeaf(type: Type, site: Site): Expression {
    const accepts = (each: Variable) => !each.isConst && (!site.uniform || each.isUniform);
    const place = this.find(type, site, 0, { accepts });
    if (place !== null) return this.load(place);
    return this.runtimeCompound(type, (part) => this.runtimeLeaf(part, site));
  }

  /** A value of a type of which there is no variable, out of its parts. */
  runtimeCompound(type: Type, make: (type: Type) => Expression): Expression {
    switch (type.kind) {
      case "scalar": {
        if (type.name !== "bool") throw new Error(`no variable holds ‘${type.name}’`);
        return combine(type, "relational", binaryParts(">", make(U32), raw(U32, "7u")));
      }
      case "vector":
        return combine(type, "primary", callParts(typeText(type), [make(type.element)]));
      case "matrix": {
        // No float variable stays within what a matrix holds.
        const column = combine(
          vector(type.rows, F32),
          "primary",
          callParts("clamp", [
            combine(vector(type.rows, F32), "primary", callParts("floor", [make(vector(type.rows, F32))])),
            `vec${type.rows}f(-4.0)`,
            `vec${type.rows}f(4.0)`,
          ]),
          MATRIX_DOMAIN,
        );
        return combine(type, "primary", callParts(typeText(type), Array(type.columns).fill(column)), MATRIX_DOMAIN);
      }
      case "array":
        return combine(type, "primary", callParts(typeText(type), Array(type.count).fill(make(type.element))));
      case "struct":
        return combine(
          type,
          "primary",
          callParts(
            type.name,
            type.members.map((member) => make(member.type)),
          ),
        );
    }
  }

  /** `&x.y`, or a pointer variable itself. */
  address(place: Place): readonly Part[] {
    const { variable, isVariable, parts } = place;
    if (variable.isPointer && isVariable) return this.#choice.once(3) ? [`&${variable.text}`] : [variable.name];
    return ["&", ...parts];
  }
}

function suffix(type: ScalarType): string {
  return type.name === "i32" ? "i" : "u";
}

/** Text that no smaller one may take the place of, because it keeps the program valid. */
export function raw(type: Type, text: string, form: Form = "primary"): Expression {
  return { kind: "expression", type, form, parts: [text], isConst: true, isUniform: true, range: FIXED };
}

/** Of fixed text: no other expression lies within. */
const FIXED: Range = { fraction: -100, magnitude: -100 };

function countOf(type: Type): number {
  switch (type.kind) {
    case "vector":
      return type.size;
    case "matrix":
      return type.columns;
    case "array":
      return type.count;
    default:
      throw new TypeError(`‘${typeText(type)}’ has no elements`);
  }
}

function holdsAddressable(type: Type, wanted: Type): boolean {
  if (sameType(type, wanted)) return true;
  return type.kind !== "vector" && partsOf(type).some((part) => holdsAddressable(part, wanted));
}
