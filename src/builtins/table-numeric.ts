/** spec: #numeric-builtin-functions */
import type { Evaluate } from "./row.ts";
import { ALL_NUMERIC, section } from "./section.ts";

const todo: Evaluate | null = null;

export const NUMERIC = section(
  { mustUse: true },
  {
    abs: { spec: "#abs-float-builtin", evaluate: todo, overloads: [`(e: T) -> T ${ALL_NUMERIC}`] },
    select: {
      spec: "#select-builtin",
      evaluate: todo,
      overloads: [
        "(f: T, t: T, cond: bool) -> T where S: scalar, T: S|vecN<S>",
        "(f: vecN<T>, t: vecN<T>, cond: vecN<bool>) -> vecN<T> where T: scalar",
      ],
    },
  },
);
