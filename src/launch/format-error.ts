/** A file that is not what its ending says; whoever knows its name tells of it. */
export class FormatError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "FormatError";
  }
}
