/** The code by which passes tell how often something came to a place, and who came first: one worker runs it. */
import type { Emitter } from "../ir/builder.ts";
import type { InstId, RootId } from "../ir/ir.ts";
import { U32 } from "../types/type.ts";

/** Words of a variable of the checker's own for each place. */
export const TOLD = { count: 0, first: 1, words: 2 } as const;

/** Tells in the variable `root` that somebody came to the place with that number. */
export function tellPlace(em: Emitter, root: RootId, place: InstId, who: InstId): void {
  const start = em.binary("*", place, em.number(TOLD.words, U32));
  const word = (index: number): InstId => {
    return em.access(em.variable(root), { dynamic: em.binary("+", start, em.number(index, U32)) });
  };
  const count = em.load(word(TOLD.count));
  em.if(
    em.binary("==", count, em.number(0, U32)),
    () => em.store(word(TOLD.first), who),
    () => {},
  );
  em.store(word(TOLD.count), em.binary("+", count, em.number(1, U32)));
}
