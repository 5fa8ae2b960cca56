/**
 * The elementary functions that constants are computed with: those of the host, which may differ from ours in the last
 * places, until `const-math-exact.ts` is loaded. So who first wants a verdict over a network need not load ours before it.
 * In Node they are there from the start; `test/house/loading.test.ts` looks at who analyzes without them.
 */
export const constMath = {
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atan2: Math.atan2,
  atanh: Math.atanh,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  exp2: (x: number): number => 2 ** x,
  log: Math.log,
  log2: Math.log2,
  pow: Math.pow,
  sin: Math.sin,
  sinh: Math.sinh,
  tan: Math.tan,
  tanh: Math.tanh,
};

export type ConstMath = typeof constMath;
