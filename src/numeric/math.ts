/**
 * The elementary functions of WGSL on numbers: `sin(x)`, `pow(x, y)`, `ldexp(x, exponent)`, `frexpFract(x)` and so on.
 *
 * Arguments and results are f64; the caller rounds to f32 or f16. Results differ from the exact value by at most
 * 4 units in the last place of f64, so that what is rounded to f32 is the nearest f32 except next to a tie. Outside of
 * its domain a function gives NaN or an infinity; const-expressions refuse those. Nothing allocates. Engines take
 * `shortSin(x)` and the like instead where there is such a form (`shortForms`): for f32 it is exact enough, and faster.
 *
 * The same functions for WebAssembly come from `mathFunctions` in `math-table.ts` and give the same bits.
 */
export * from "./math.gen.ts";
