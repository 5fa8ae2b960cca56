/** Has constants computed by our own functions, which give the same everywhere. */
import { type ConstMath, constMath } from "./const-math.ts";
import * as math from "./math.ts";

const { acos, acosh, asin, asinh, atan, atan2, atanh, cos, cosh, exp, exp2, log, log2, pow, sin, sinh, tan, tanh } =
  math;

Object.assign(constMath, {
  ...{ acos, acosh, asin, asinh, atan, atan2, atanh, cos, cosh },
  ...{ exp, exp2, log, log2, pow, sin, sinh, tan, tanh },
} satisfies ConstMath);
