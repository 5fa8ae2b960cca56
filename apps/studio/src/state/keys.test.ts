import { expect, test } from "vitest";
import { isPressed, keysText, type Pressed } from "./keys.ts";

const NO = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

function pressed(key: string, code: string, ...modifiers: ("ctrl" | "meta" | "shift" | "alt")[]): Pressed {
  return { ...NO, key, code, ...Object.fromEntries(modifiers.map((name) => [`${name}Key`, true])) };
}

const fits = (event: Pressed, keys: string, { isMac = false, isTyping = false } = {}) =>
  isPressed(event, keys, isMac, isTyping);

test("the letter counts, not its place", () => {
  // What is K on an English keyboard is T on a Dvorak one.
  expect(fits(pressed("t", "KeyK", "ctrl"), "Mod-k")).toBe(false);
  expect(fits(pressed("k", "KeyV", "ctrl"), "Mod-k")).toBe(true);
  expect(fits(pressed("b", "KeyN", "alt"), "Alt-n")).toBe(false);
  expect(fits(pressed("n", "KeyL", "alt"), "Alt-n")).toBe(true);
});

test("without Ctrl or Alt a letter is a letter", () => {
  expect(fits(pressed("1", "Digit1"), "Alt-1")).toBe(false);
  expect(fits(pressed("/", "Digit7", "shift"), "F1")).toBe(false);
  expect(fits(pressed("F1", "F1"), "F1")).toBe(true);
  expect(fits(pressed("F1", "F1", "ctrl"), "F1")).toBe(false);
});

test("keyboards without Latin letters go by place", () => {
  expect(fits(pressed("л", "KeyK", "ctrl"), "Mod-k")).toBe(true);
  expect(fits(pressed("т", "KeyN", "alt"), "Alt-n")).toBe(true);
  expect(fits(pressed("т", "KeyN", "ctrl"), "Alt-n")).toBe(false);
});

test("the digits of a French keyboard need no Shift", () => {
  expect(fits(pressed("&", "Digit1", "alt"), "Alt-1")).toBe(true);
  expect(fits(pressed("é", "Digit2", "alt"), "Alt-2")).toBe(true);
  expect(fits(pressed("é", "Digit2"), "Alt-2")).toBe(false);
});

test("Option writes on a Mac: in a text it is left alone", () => {
  const option5 = pressed("[", "Digit5", "alt");
  expect(fits(option5, "Alt-5", { isMac: true, isTyping: true })).toBe(false);
  expect(fits(option5, "Alt-5", { isMac: true })).toBe(true);
  expect(fits(pressed("Dead", "KeyN", "alt"), "Alt-n", { isMac: true })).toBe(true);
  expect(fits(pressed("Enter", "Enter", "meta", "alt"), "Mod-Alt-Enter", { isMac: true, isTyping: true })).toBe(true);
});

test("AltGr is no Alt, and what is being composed is no key", () => {
  const altGr = { ...pressed("€", "KeyE", "ctrl", "alt"), getModifierState: (name: string) => name === "AltGraph" };
  expect(fits(altGr, "Mod-e")).toBe(false);
  expect(fits({ ...pressed("Enter", "Enter", "ctrl", "alt"), getModifierState: () => true }, "Mod-Alt-Enter")).toBe(
    false,
  );
  expect(fits({ ...pressed("k", "KeyK", "ctrl"), isComposing: true }, "Mod-k")).toBe(false);
});

test("all modifiers have to fit", () => {
  expect(fits(pressed("Enter", "Enter", "ctrl", "shift"), "Mod-Enter")).toBe(false);
  expect(fits(pressed("S", "KeyS", "ctrl", "shift"), "Mod-Shift-s")).toBe(true);
  expect(fits(pressed("k", "KeyK", "ctrl", "meta"), "Mod-k")).toBe(false);
  expect(fits(pressed("k", "KeyK", "meta"), "Mod-k", { isMac: true })).toBe(true);
  expect(fits(pressed("k", "KeyK", "ctrl"), "Mod-k", { isMac: true })).toBe(false);
});

test("keys are called as they are printed", () => {
  expect(keysText("Mod-Shift-s", false)).toBe("Ctrl+Shift+S");
  expect(keysText("Alt-w", true)).toBe("⌥ W");
});
