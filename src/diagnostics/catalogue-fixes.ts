/** Titles of the edits that a diagnostic offers. */
export const FIX_TITLES = {
  "replace-with": "replace with ‘{text}’",
} as const satisfies Readonly<Record<string, string>>;
