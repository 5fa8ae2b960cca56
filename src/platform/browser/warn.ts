/** Tells developers, without stopping the program. */
export function warn(message: string): void {
  console.warn(`halay: ${message}`);
}
