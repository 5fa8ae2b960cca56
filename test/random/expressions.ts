/** Typed random expressions. What the specification makes an error of constants is never given constants alone. */
import type { Choice } from "./choice.ts";
import {
  BOOL_OPERATORS,
  COMPARISONS,
  EQUALITIES,
  FLOAT_OPERATORS,
  FLOAT_UNARY,
  INTEGER_OPERATORS,
  INTEGER_UNARY,
  PACK,
  POWERS,
  UNPACK,
  whole,
} from "./operations.ts";
import { combine, literalOf, Places, raw, vectorName, writtenType } from "./places.ts";
import type { ModuleState, Parameter, RandomFunction, Site } from "./scope.ts";
import { afterUnary, binaryParts, callParts, type Expression, formOf, type Part, tight } from "./tree.ts";
import {
  BOOL,
  DOMAIN,
  domainOf,
  dotRange,
  elementOf,
  F32,
  holdsFloat,
  I32,
  isExact,
  likeShape,
  MATRIX_DOMAIN,
  type MatrixType,
  productRange,
  type Range,
  type ScalarType,
  sumRange,
  type Type,
  typeText,
  U32,
  type VectorType,
  vector,
  widest,
  within,
} from "./types.ts";

type Shape = ScalarType | VectorType;

export class Expressions {
  readonly #module: ModuleState;
  readonly places: Places;

  constructor(module: ModuleState) {
    this.#module = module;
    this.places = new Places(module, (type, site, depth) => this.make(type, site, depth));
  }

  get #choice(): Choice {
    return this.#module.choice;
  }

  make(type: Type, site: Site, depth: number): Expression {
    if (depth <= 0 || this.#choice.once(6)) return this.places.leaf(type, site, depth);
    const called = this.#choice.once(6) ? this.call(type, site, depth - 1) : null;
    if (called !== null) return called;
    switch (type.kind) {
      case "scalar":
      case "vector":
        return this.#shape(type, site, depth - 1);
      case "matrix":
        return this.#matrix(type, site, depth - 1);
      case "array":
        if (this.#choice.once(3)) return this.places.leaf(type, site, depth);
        return combine(
          type,
          "primary",
          callParts(writtenType(this.#choice, type), this.#several(type.element, type.count, site, depth - 2)),
        );
      case "struct":
        if (this.#choice.once(3)) return this.places.leaf(type, site, depth);
        return combine(
          type,
          "primary",
          callParts(
            type.name,
            type.members.map((member) => this.stored(member.type, site, depth - 2)),
          ),
        );
    }
  }

  /** Fit to be held by a variable: floats no larger and no finer than those may be. */
  stored(type: Type, site: Site, depth: number, domain?: Range): Expression {
    return this.tame(this.make(type, site, depth), domain);
  }

  /** Not const. */
  runtime(type: Type, site: Site, depth: number): Expression {
    const made = this.make(type, site, depth);
    return made.isConst ? this.places.runtimeLeaf(type, site) : made;
  }

  #several(type: Type, count: number, site: Site, depth: number): Expression[] {
    return Array.from({ length: count }, () => this.stored(type, site, depth));
  }

  tame(value: Expression, domain: Range = value.type.kind === "matrix" ? MATRIX_DOMAIN : DOMAIN): Expression {
    const { type } = value;
    if (!holdsFloat(type) || within(value.range, domain)) return value;
    if (type.kind === "matrix") {
      this.#module.tamers.add(`${type.columns}x${type.rows}`);
      return combine(type, "primary", callParts(`tame${type.columns}x${type.rows}`, [value]), MATRIX_DOMAIN);
    }
    if (type.kind !== "scalar" && type.kind !== "vector") return value;
    const limit = 2 ** domain.magnitude;
    const bound = (number: number) =>
      type.kind === "scalar" ? `${number}.0` : `${vectorName(this.#choice, type.size, F32)}(${number}.0)`;
    const floor = combine(type, "primary", callParts("floor", [value]), whole(value.range));
    return combine(type, "primary", callParts("clamp", [floor, bound(-limit), bound(limit)]), {
      fraction: 0,
      magnitude: domain.magnitude,
    });
  }

  /** A call of a function of the module that returns the type; null if there is none. */
  call(type: Type, site: Site, depth: number): Expression | null {
    const { functions } = this.#module;
    if (!site.callable || site.uniform) return null;
    const fits = functions.filter(
      (each) =>
        each.returns !== null &&
        typeText(each.returns) === typeText(type) &&
        !each.hasBarrier &&
        this.#module.affords(each, site.times),
    );
    if (fits.length === 0) return null;
    const callee = this.#choice.pick(fits);
    const parts = this.callOf(callee, site, depth);
    return parts === null
      ? null
      : { ...combine(type, "primary", parts, domainOf(type)), isConst: false, isUniform: false };
  }

  /** null if there is nothing that its pointers could point to. */
  callOf(callee: RandomFunction, site: Site, depth: number): readonly Part[] | null {
    const roots = new Set<string>(callee.touches);
    const args: (readonly Part[])[] = [];
    for (const parameter of callee.parameters) {
      const arg = this.#argument(parameter, site, depth, roots);
      if (arg === null) return null;
      args.push(arg);
    }
    this.#module.spend(callee.cost * site.times);
    return [`${callee.name}(`, ...args.flatMap((arg, i) => (i === 0 ? arg : [", ", ...arg])), ")"];
  }

  #argument(parameter: Parameter, site: Site, depth: number, roots: Set<string>): readonly Part[] | null {
    if (parameter.pointer === null) {
      const inner = { ...site, uniform: site.uniform || parameter.isUniform };
      const value = this.stored(parameter.type, inner, parameter.isUniform ? Math.min(depth, 1) : depth);
      return callParts("", [value]).slice(1, -1);
    }
    const place = this.places.find(parameter.type, site, 1, {
      // spec: #alias-analysis
      accepts: (each) => each.hasAddress && each.isMutable && each.space === parameter.pointer && !roots.has(each.root),
      addressable: true,
    });
    if (place === null || within(place.domain, MATRIX_DOMAIN) !== (parameter.type.kind === "matrix")) return null;
    roots.add(place.variable.root);
    return this.places.address(place);
  }

  #shape(type: Shape, site: Site, depth: number): Expression {
    const general = [
      [2, () => this.#select(type, site, depth)],
      [type.kind === "vector" ? 5 : 0, () => this.#construct(type as VectorType, site, depth)],
      [2, () => this.#ofVector(type, site, depth)],
    ] as const;
    switch (elementOf(type).name) {
      case "bool":
        return this.#choice.weighted(...general, ...this.#booleans(type, site, depth))();
      case "f32":
        return this.#choice.weighted(...general, ...this.#floats(type, site, depth))();
      default:
        return this.#choice.weighted(...general, ...this.#integers(type, site, depth))();
    }
  }

  // Booleans

  #booleans(type: Shape, site: Site, depth: number): (readonly [number, () => Expression])[] {
    const operand = () => this.make(type, site, depth);
    return [
      [6, () => this.#comparison(type, site, depth)],
      [2, () => combine(type, "unary", ["!", afterUnary(operand())])],
      [2, () => this.#binary(this.#choice.pick(BOOL_OPERATORS), type, operand(), operand())],
      [type.kind === "scalar" ? 5 : 0, () => this.#shortCircuit(site, depth)],
      [type.kind === "scalar" ? 2 : 0, () => this.#reduction(site, depth)],
    ];
  }

  /** A constant that decides makes a constant for Tint, which WGSL does not say: where it has to run the program, there is none. */
  #shortCircuit(site: Site, depth: number): Expression {
    const isRuntime = this.#module.options.forSwiftShader;
    const left = isRuntime ? this.runtime(BOOL, site, depth) : this.make(BOOL, site, depth);
    return this.#binary(this.#choice.pick(["&&", "||"]), BOOL, left, this.make(BOOL, site, depth));
  }

  #comparison(type: Shape, site: Site, depth: number): Expression {
    const compared = likeShape(type, this.#choice.pick([I32, U32, F32, BOOL]));
    const operators = elementOf(compared).name === "bool" ? EQUALITIES : COMPARISONS;
    const left = this.runtime(compared, site, depth);
    return this.#binary(this.#choice.pick(operators), type, left, this.#beside(compared, site, depth));
  }

  #reduction(site: Site, depth: number): Expression {
    const type = vector(this.#choice.int(2, 4), BOOL);
    return combine(BOOL, "primary", callParts(this.#choice.pick(["all", "any"]), [this.make(type, site, depth)]));
  }

  /** The second operand of an operator whose first one has a type: a literal may leave out its suffix. */
  #beside(type: Type, site: Site, depth: number): Expression {
    if (type.kind === "scalar" && this.#choice.once(5)) return literalOf(this.#choice, type, true);
    return this.make(type, site, depth);
  }

  #binary(operator: string, type: Type, left: Expression, right: Expression, range?: Range): Expression {
    return combine(type, formOf(operator), binaryParts(operator, left, right), range);
  }

  // Integers

  #integers(type: Shape, site: Site, depth: number): (readonly [number, () => Expression])[] {
    const element = elementOf(type);
    const some = (depth_ = depth) => this.make(type, site, depth_);
    const runtime = () => this.runtime(type, site, depth);
    const call = (name: string, ...args: (Expression | string)[]) => combine(type, "primary", callParts(name, args));
    const isScalar = type.kind === "scalar";
    return [
      [9, () => this.#integerOperator(type, site, depth)],
      [
        2,
        () =>
          combine(type, "unary", [element.name === "i32" ? this.#choice.pick(["~", "-"]) : "~", afterUnary(runtime())]),
      ],
      [2, () => call(this.#choice.pick(INTEGER_UNARY), runtime())],
      [element.name === "i32" ? 1 : 0, () => call("sign", some())],
      [2, () => call(this.#choice.pick(["min", "max"]), runtime(), some())],
      [1, () => call("clamp", runtime(), runtime(), some())],
      [1, () => call("extractBits", runtime(), ...this.#bitRange(site, depth))],
      [1, () => call("insertBits", runtime(), some(depth - 1), ...this.#bitRange(site, depth))],
      [3, () => this.#toInteger(type, site, depth)],
      [isScalar ? 1 : 0, () => this.#integerDot(element, site, depth)],
      [isScalar && element.name === "u32" ? 2 : 0, () => this.#packed(site, depth)],
      [isScalar && element.name === "i32" ? 1 : 0, () => this.#ofFloatParts(site, depth)],
      [type.kind === "vector" && type.size === 4 ? 2 : 0, () => this.#unpacked(type as VectorType, site, depth)],
    ];
  }

  #integerOperator(type: Shape, site: Site, depth: number): Expression {
    const operator = this.#choice.pick(INTEGER_OPERATORS);
    if (operator === "<<" || operator === ">>") {
      const left = this.runtime(type, site, depth);
      return this.#binary(operator, type, left, this.#shiftCount(likeShape(type, U32), site, depth));
    }
    const mixes = type.kind === "vector" && "+-*/%".includes(operator) && this.#choice.once(3);
    const swaps = mixes && this.#choice.once(2);
    const left = this.runtime(swaps ? elementOf(type) : type, site, depth);
    const rightType = mixes && !swaps ? elementOf(type) : type;
    if (operator === "/" || operator === "%") {
      return this.#binary(operator, type, left, this.#divisor(rightType, site, depth));
    }
    return this.#binary(operator, type, left, this.#beside(rightType, site, depth));
  }

  #divisor(type: Shape, site: Site, depth: number): Expression {
    if (this.#choice.once(2)) return this.runtime(type, site, depth);
    const number = `${this.#choice.int(1, 9)}${elementOf(type).name === "i32" ? "i" : "u"}`;
    return raw(type, type.kind === "scalar" ? number : `${typeText(type)}(${number})`);
  }

  #shiftCount(type: Shape, site: Site, depth: number): Expression {
    if (this.#choice.once(2)) return this.runtime(type, site, depth);
    const count = `${this.#choice.int(0, 31)}u`;
    return raw(type, type.kind === "scalar" ? count : `${typeText(type)}(${count})`);
  }

  #bitRange(site: Site, depth: number): (Expression | string)[] {
    if (this.#choice.once(2)) return [`${this.#choice.int(0, 16)}u`, `${this.#choice.int(0, 16)}u`];
    return [this.runtime(U32, site, depth - 1), this.runtime(U32, site, depth - 1)];
  }

  #toInteger(type: Shape, site: Site, depth: number): Expression {
    const element = elementOf(type);
    const others = [I32, U32, F32, BOOL].filter((each) => each.name !== element.name);
    const from = this.#choice.pick(others);
    const value = this.runtime(likeShape(type, from), site, depth);
    const bits = from.name !== "f32" && from.name !== "bool" && this.#choice.once(2);
    const name = bits ? `bitcast<${writtenType(this.#choice, type)}>` : writtenType(this.#choice, type);
    return combine(type, "primary", callParts(name, [value]));
  }

  #integerDot(element: ScalarType, site: Site, depth: number): Expression {
    if (this.#choice.once(2)) {
      const name = element.name === "i32" ? "dot4I8Packed" : "dot4U8Packed";
      const args = [this.runtime(U32, site, depth), this.make(U32, site, depth)];
      return combine(element, "primary", callParts(name, args));
    }
    const type = vector(this.#choice.int(2, 4), element);
    return combine(
      element,
      "primary",
      callParts("dot", [this.runtime(type, site, depth), this.make(type, site, depth)]),
    );
  }

  #packed(site: Site, depth: number): Expression {
    if (this.#choice.once(2)) {
      const [name, type] = this.#choice.pick(PACK);
      return combine(U32, "primary", callParts(name, [this.runtime(type, site, depth)]));
    }
    // The sign of zero may be lost, so it must not show in bits: no zero comes here.
    const halves = this.#choice.once(2);
    const type = halves ? vector(2, F32) : F32;
    const value = this.tame(this.runtime(type, site, depth));
    const shifted = this.#binary("+", type, value, raw(type, halves ? "vec2f(128.5)" : "128.5"));
    return combine(U32, "primary", callParts(halves ? "pack2x16float" : "bitcast<u32>", [shifted]));
  }

  #unpacked(type: VectorType, site: Site, depth: number): Expression {
    const [name] = UNPACK.find(([, element]) => element.name === type.element.name)!;
    return combine(type, "primary", callParts(name, [this.runtime(U32, site, depth)]));
  }

  #ofFloatParts(site: Site, depth: number): Expression {
    return combine(I32, "primary", [...callParts("frexp", [this.runtime(F32, site, depth)]), ".exp"]);
  }

  // Floats

  #floats(type: Shape, site: Site, depth: number): (readonly [number, () => Expression])[] {
    const runtime = () => this.runtime(type, site, depth);
    const some = () => this.make(type, site, depth);
    return [
      [9, () => this.#floatOperator(type, site, depth)],
      [1, () => this.#negation(type, some())],
      [3, () => this.#floatUnary(type, runtime())],
      [2, () => this.#widestCall(this.#choice.pick(["min", "max"]), type, runtime(), some())],
      [1, () => this.#clampedFloat(type, runtime())],
      [1, () => combine(type, "primary", callParts("step", [runtime(), some()]), { fraction: 0, magnitude: 0 })],
      [1, () => this.#fma(type, site, depth)],
      [1, () => this.#mix(type, site, depth)],
      [1, () => this.#ldexp(type, runtime())],
      [2, () => this.#toFloat(type, site, depth)],
      [type.kind === "scalar" ? 1 : 0, () => this.#floatDot(site, depth)],
      [type.kind === "vector" ? 2 : 0, () => this.#matrixProduct(type as VectorType, site, depth)],
      [type.kind === "vector" && type.size === 3 ? 1 : 0, () => this.#cross(type, site, depth)],
      [1, () => this.#quantized(type, runtime())],
    ];
  }

  #negation(type: Type, value: Expression): Expression {
    return combine(type, "unary", ["-", afterUnary(value)], value.range);
  }

  #quantized(type: Shape, value: Expression): Expression {
    return combine(type, "primary", callParts("quantizeToF16", [this.tame(value)]), DOMAIN);
  }

  #widestCall(name: string, type: Type, ...args: Expression[]): Expression {
    return combine(type, "primary", callParts(name, args), widest(...args.map((arg) => arg.range)));
  }

  #clampedFloat(type: Shape, value: Expression): Expression {
    const bound = (number: string) => (type.kind === "scalar" ? number : `${typeText(type)}(${number})`);
    const low = this.#choice.int(-9, 0);
    const args = [value, bound(`${low}.0`), bound((low + this.#choice.int(0, 19) / 2).toFixed(1))];
    const range = widest(value.range, { fraction: 1, magnitude: 4 });
    return combine(type, "primary", callParts("clamp", args), range);
  }

  /** Keeps `operator` exact: operands that go too far are cut down first. */
  #exactly(left: Expression, right: Expression, rule: (a: Range, b: Range) => Range): [Expression, Expression, Range] {
    if (isExact(rule(left.range, right.range))) return [left, right, rule(left.range, right.range)];
    const [a, b] = [this.tame(left), this.tame(right)];
    return [a, b, rule(a.range, b.range)];
  }

  #floatOperator(type: Shape, site: Site, depth: number): Expression {
    const operator = this.#choice.pick(FLOAT_OPERATORS);
    const mixes = type.kind === "vector" && this.#choice.once(3);
    const swaps = mixes && this.#choice.once(2) && operator !== "/" && operator !== "%";
    const left = this.runtime(swaps ? elementOf(type) : type, site, depth);
    const rightType = mixes && !swaps ? elementOf(type) : type;
    if (operator === "/" || operator === "%") return this.#byPower(operator, type, left, rightType);
    const rule = operator === "*" ? productRange : sumRange;
    const [a, b, range] = this.#exactly(left, this.#beside(rightType, site, depth), rule);
    return this.#binary(operator, type, a, b, range);
  }

  #byPower(operator: "/" | "%", type: Shape, value: Expression, divisorType: Shape): Expression {
    const [text, power] = this.#choice.pick(POWERS);
    const divisor = raw(divisorType, divisorType.kind === "scalar" ? text : `${typeText(divisorType)}(${text})`);
    const { fraction, magnitude } = value.range;
    const quotient = { fraction: Math.max(0, fraction + power), magnitude: magnitude - power };
    const remainder = { fraction: Math.max(fraction, 1), magnitude };
    const range = operator === "/" ? quotient : remainder;
    return isExact(range) && isExact(quotient) ? this.#binary(operator, type, value, divisor, range) : value;
  }

  #floatUnary(type: Shape, value: Expression): Expression {
    const [name, result] = this.#choice.pick(FLOAT_UNARY);
    const [member, builtin] = name.includes("-of-") ? name.split("-of-") : ["", name];
    const parts = [...callParts(builtin, [value]), ...(member === "" ? [] : [`.${member}`])];
    const range = result(value.range);
    return isExact(range) ? combine(type, "primary", parts, range) : value;
  }

  #fma(type: Shape, site: Site, depth: number): Expression {
    const [a, b, product] = this.#exactly(this.runtime(type, site, depth), this.make(type, site, depth), productRange);
    const c = this.tame(this.make(type, site, depth));
    return combine(type, "primary", callParts("fma", [a, b, c]), sumRange(product, c.range));
  }

  #mix(type: Shape, site: Site, depth: number): Expression {
    const [a, b] = [this.tame(this.runtime(type, site, depth)), this.tame(this.make(type, site, depth))];
    const share = this.#choice.pick(["0.5", "0.25", "1.0", "0.0"]);
    const third = type.kind === "vector" && this.#choice.once(2) ? `${typeText(type)}(${share})` : share;
    const range = { fraction: DOMAIN.fraction + 2, magnitude: DOMAIN.magnitude + 2 };
    return combine(type, "primary", callParts("mix", [a, b, third]), range);
  }

  #ldexp(type: Shape, value: Expression): Expression {
    const power = this.#choice.int(-2, 3);
    const second = type.kind === "scalar" ? `${power}` : `vec${type.size}i(${power})`;
    const { fraction, magnitude } = value.range;
    const range = { fraction: Math.max(0, fraction - power), magnitude: magnitude + power };
    return isExact(range) ? combine(type, "primary", callParts("ldexp", [value, second]), range) : value;
  }

  #toFloat(type: Shape, site: Site, depth: number): Expression {
    const from = this.#choice.pick([I32, U32, BOOL]);
    const source = likeShape(type, from);
    const value = this.runtime(source, site, depth);
    const name = writtenType(this.#choice, type);
    const range = { fraction: 0, magnitude: 6 };
    if (from.name === "bool") return combine(type, "primary", callParts(name, [value]), range);
    const mask = `63${from.name === "i32" ? "i" : "u"}`;
    const small = this.#binary(
      "&",
      source,
      value,
      raw(source, source.kind === "scalar" ? mask : `${typeText(source)}(${mask})`),
    );
    return combine(type, "primary", callParts(name, [small]), range);
  }

  #floatDot(site: Site, depth: number): Expression {
    const type = vector(this.#choice.int(2, 4), F32);
    const [a, b, range] = this.#exactly(this.runtime(type, site, depth), this.make(type, site, depth), dotRange);
    return combine(F32, "primary", callParts("dot", [a, b]), range);
  }

  #cross(type: Shape, site: Site, depth: number): Expression {
    const [a, b, range] = this.#exactly(this.runtime(type, site, depth), this.make(type, site, depth), dotRange);
    return combine(type, "primary", callParts("cross", [a, b]), range);
  }

  // Vectors and matrices

  #select(type: Shape, site: Site, depth: number): Expression {
    const condition = type.kind === "vector" && this.#choice.once(2) ? vector(type.size, BOOL) : BOOL;
    const args = [this.runtime(type, site, depth), this.make(type, site, depth)];
    const range = widest(...args.map((arg) => arg.range));
    return combine(type, "primary", callParts("select", [...args, this.make(condition, site, depth)]), range);
  }

  #construct(type: VectorType, site: Site, depth: number): Expression {
    const name = this.#choice.once(4) ? `vec${type.size}` : vectorName(this.#choice, type.size, type.element);
    const sizes = this.#choice.pick(SPLITS[type.size]);
    // A name without an element type takes that of its arguments, so those must have one.
    const args = sizes.map((size) =>
      this.make(size === 1 ? type.element : vector(size, type.element), site, depth - 1),
    );
    return combine(type, "primary", callParts(name, args), widest(...args.map((arg) => arg.range)));
  }

  /** A component or a swizzle of a vector. */
  #ofVector(type: Shape, site: Site, depth: number): Expression {
    const size = this.#choice.int(2, 4);
    const value = this.make(vector(size, elementOf(type)), site, depth - 1);
    const letters = this.#choice.pick(["xyzw", "rgba"]);
    const count = type.kind === "scalar" ? 1 : type.size;
    const swizzle = Array.from({ length: count }, () => letters[this.#choice.int(0, size - 1)]).join("");
    return combine(type, "primary", [tight(value), `.${swizzle}`], value.range);
  }

  #matrixProduct(type: VectorType, site: Site, depth: number): Expression {
    const other = this.#choice.int(2, 4);
    const vectorFirst = this.#choice.once(2);
    const matrixType: MatrixType = vectorFirst
      ? { kind: "matrix", columns: type.size, rows: other }
      : { kind: "matrix", columns: other, rows: type.size };
    const matrix = this.runtime(matrixType, site, depth - 1);
    const value = this.make(vector(other, F32), site, depth - 1);
    const [a, b, range] = this.#exactly(matrix, value, dotRange);
    return vectorFirst ? this.#binary("*", type, b, a, range) : this.#binary("*", type, a, b, range);
  }

  #matrix(type: MatrixType, site: Site, depth: number): Expression {
    const some = (other: MatrixType = type) => this.runtime(other, site, depth - 1);
    const transposed: MatrixType = { kind: "matrix", columns: type.rows, rows: type.columns };
    return this.#choice.weighted(
      [2, () => this.places.leaf(type, site, depth)],
      [2, () => this.#matrixOfColumns(type, site, depth)],
      [2, () => this.#matrixSum(type, some(), some())],
      [1, () => this.#matrixScaled(type, some(), site, depth)],
      [
        1,
        () => {
          const value = some(transposed);
          return combine(type, "primary", callParts("transpose", [value]), value.range);
        },
      ],
      [1, () => this.#matrixByMatrix(type, site, depth)],
    )();
  }

  #matrixSum(type: MatrixType, left: Expression, right: Expression): Expression {
    const [a, b, range] = this.#exactly(left, right, sumRange);
    return this.#binary(this.#choice.pick(["+", "-"]), type, a, b, range);
  }

  #matrixScaled(type: MatrixType, matrix: Expression, site: Site, depth: number): Expression {
    const [a, b, range] = this.#exactly(matrix, this.make(F32, site, depth - 1), productRange);
    return this.#choice.once(2) ? this.#binary("*", type, a, b, range) : this.#binary("*", type, b, a, range);
  }

  #matrixByMatrix(type: MatrixType, site: Site, depth: number): Expression {
    const inner = this.#choice.int(2, 4);
    const left = this.runtime({ kind: "matrix", columns: inner, rows: type.rows }, site, depth - 2);
    const right = this.runtime({ kind: "matrix", columns: type.columns, rows: inner }, site, depth - 2);
    const [a, b, range] = this.#exactly(left, right, dotRange);
    return this.#binary("*", type, a, b, range);
  }

  #matrixOfColumns(type: MatrixType, site: Site, depth: number): Expression {
    const columns = Array.from({ length: type.columns }, () =>
      this.stored(vector(type.rows, F32), site, depth - 1, MATRIX_DOMAIN),
    );
    return combine(type, "primary", callParts(writtenType(this.#choice, type), columns), MATRIX_DOMAIN);
  }
}

/** How a vector can be put together of scalars and shorter vectors. */
const SPLITS: Readonly<Record<number, readonly (readonly number[])[]>> = {
  2: [[1, 1], [2]],
  3: [[1, 1, 1], [2, 1], [1, 2], [3]],
  4: [
    [1, 1, 1, 1],
    [2, 2],
    [1, 2, 1],
    [3, 1],
    [1, 3],
    [2, 1, 1],
    [1, 1, 2],
  ],
};
