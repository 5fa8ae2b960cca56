/** Texts of notes: second places and ways out. */
export const NOTE_TEXTS = {
  "declared-here": "‘{name}’ is declared here",
  "did-you-mean": "did you mean ‘{name}’?",
} as const satisfies Readonly<Record<string, string>>;
