/**
 * Prints the elementary functions as TypeScript, one statement for each operation.
 *
 * The result is `math.gen.ts`. A body that ran on `jsOps` would be called with the operations of the WebAssembly emitter
 * too, and no engine optimises calls that go to two places; printed, each function is straight code.
 */
import type { MathOps } from "./math-ops.ts";
import { type MathFunction, mathFunctions } from "./math-table.ts";

const header = `// Generated from math-table.ts. Do not edit: run \`npx vitest run src/numeric/math-source.test.ts -u\`.
import { copySign, highWord, limit, fromExponent, negateIfOdd, nearest, powerOfTwo, timesPower, withHighWord } from "./float64.ts";
`;

/** The text of `math.gen.ts`. */
export function printMathFunctions(): string {
  const functions = Object.entries(mathFunctions).map(([name, row]) => printFunction(name, row));
  return [header, ...functions].join("\n");
}

function printFunction(name: string, { parameters, body }: MathFunction): string {
  const lines: string[] = [];
  const result = body(sourceOps(lines), ...parameters.map((parameter) => parameter.name));
  const list = parameters.map((parameter) => `${parameter.name}: number`).join(", ");
  return `export function ${name}(${list}): number {\n${lines.map((line) => `  ${line}\n`).join("")}  return ${result};\n}\n`;
}

/** Operations whose values are names or literals in the printed text; statements go to `lines`. */
function sourceOps(lines: string[]): MathOps<string, string, string> {
  let count = 0;
  let indent = "";
  /** The name of each expression that is still in scope, so that equal ones are computed once. */
  let known = new Map<string, string>();
  const define = (expression: string): string => {
    const earlier = known.get(expression);
    if (earlier !== undefined) return earlier;
    const name = `t${count++}`;
    lines.push(`${indent}const ${name} = ${expression};`);
    known.set(expression, name);
    return name;
  };
  const block = (target: string, compute: () => string): void => {
    const [outerIndent, outerKnown] = [indent, known];
    [indent, known] = [`${indent}  `, new Map(known)];
    const value = compute();
    lines.push(`${indent}${target} = ${value};`);
    [indent, known] = [outerIndent, outerKnown];
  };
  const branch = (condition: string, then: () => string, otherwise: () => string): string => {
    const name = `t${count++}`;
    lines.push(`${indent}let ${name}: number;`, `${indent}if (${condition}) {`);
    block(name, then);
    lines.push(`${indent}} else {`);
    block(name, otherwise);
    lines.push(`${indent}}`);
    return name;
  };
  const binary = (operator: string) => (a: string, b: string) => define(`${a} ${operator} ${b}`);
  const integer = (operator: string) => (a: string, b: string) => define(`(${a} ${operator} ${b}) | 0`);
  const call = (name: string) => (a: string) => define(`${name}(${a})`);
  const call2 = (name: string) => (a: string, b: string) => define(`${name}(${a}, ${b})`);
  const select = (condition: string, a: string, b: string) => (a === b ? a : define(`${condition} ? ${a} : ${b}`));
  return {
    constant: String,
    add: binary("+"),
    sub: binary("-"),
    mul: binary("*"),
    div: binary("/"),
    sqrt: call("Math.sqrt"),
    abs: call("Math.abs"),
    neg: (a) => define(`-${a}`),
    floor: call("Math.floor"),
    ceil: call("Math.ceil"),
    trunc: call("Math.trunc"),
    nearest: call("nearest"),
    copySign: call2("copySign"),
    lessThan: binary("<"),
    lessOrEqual: binary("<="),
    equal: binary("==="),
    isNonZero: (a) => define(`${a} !== 0`),
    both: binary("&&"),
    select,
    selectInteger: select,
    branch,
    integer: String,
    addInteger: integer("+"),
    subInteger: integer("-"),
    and: binary("&"),
    or: binary("|"),
    shiftLeft: (a, amount) => define(`${a} << ${amount}`),
    shiftRight: (a, amount) => define(`${a} >> ${amount}`),
    toInteger: (a) => define(`${a} | 0`),
    fromInteger: (a) => a,
    highWord: call("highWord"),
    withHighWord: call2("withHighWord"),
    powerOfTwo: call("powerOfTwo"),
    timesPower: call2("timesPower"),
    negateIfOdd: call2("negateIfOdd"),
    fromExponent: call("fromExponent"),
    limit: (a, most) => define(`limit(${a}, ${most})`),
  };
}
