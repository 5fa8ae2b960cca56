/** A file that is not what its ending says; whoever knows its name tells of it. */
import { type Phrase, textOfValue } from "../diagnostics/diagnostic.ts";

export class FormatError extends Error {
  readonly problem: Phrase;

  constructor(problem: Phrase) {
    super(textOfValue(problem));
    this.name = "FormatError";
    this.problem = problem;
  }
}
