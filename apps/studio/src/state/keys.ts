/** Which keys were pressed: by the letter that is written on them, whatever the layout of the keyboard. */

/** What is read of an event. */
export interface Pressed extends Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey"> {
  readonly isComposing?: boolean;
  getModifierState?(name: string): boolean;
}

const PLAIN = /^[a-z0-9]$/i;

/**
 * @param keys `Mod-Shift-s`: Mod is Ctrl, on a Mac Cmd
 * @param isTyping whether the key would write into a text: there Option belongs to the text on a Mac, which needs it for
 *   braces on many keyboards
 */
export function isPressed(event: Pressed, keys: string, isMac: boolean, isTyping: boolean): boolean {
  const parts = keys.split("-");
  const key = parts.pop()!;
  const wantsAlt = parts.includes("Alt");
  // AltGr is no Alt, though Windows says Ctrl and Alt of it.
  if (event.isComposing === true || event.getModifierState?.("AltGraph") === true) return false;
  if (wantsAlt && isMac && isTyping && PLAIN.test(key)) return false;
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  return (
    mod === parts.includes("Mod") &&
    !other &&
    event.altKey === wantsAlt &&
    event.shiftKey === parts.includes("Shift") &&
    isKey(event, key, wantsAlt || parts.includes("Mod"))
  );
}

/** By its place where the key writes no Latin letter and no digit: other alphabets, the digits of a French keyboard. */
function isKey({ key: written, code }: Pressed, key: string, hasModifier: boolean): boolean {
  if (written.toLowerCase() === key.toLowerCase()) return true;
  if (!hasModifier || !PLAIN.test(key) || PLAIN.test(written)) return false;
  // `Dead`: the first half of a letter with an accent.
  if (written.length !== 1 && written !== "Dead") return false;
  return code === (/\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`);
}

/** As it is printed on the keys. */
export function keysText(keys: string, isMac: boolean): string {
  const names: Readonly<Record<string, string>> = isMac
    ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↩" }
    : { Mod: "Ctrl", Escape: "Esc" };
  return keys
    .split("-")
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join(isMac ? " " : "+");
}
