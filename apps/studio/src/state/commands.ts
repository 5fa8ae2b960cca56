/** Everything that can be done, with its keys: for the palette, the list of shortcuts and the keyboard. */

import { goToDefinition, openRename } from "../editor/language.ts";
import { quickFix } from "../editor/setup.ts";
import { editor, focusEditor } from "../editor/view.ts";
import type { Texts } from "../texts/texts.ts";
import { newFile, show } from "./actions.ts";
import { isPressed, keysText as printed } from "./keys.ts";
import { execute, stop } from "./running.ts";
import { toggleTheme, wraps } from "./settings.ts";
import * as store from "./store.ts";
import { closeFile } from "./work.ts";

export interface StudioCommand {
  readonly name: keyof Texts["commands"];
  /** `Mod` is Ctrl, on a Mac Cmd. */
  readonly keys: string | null;
  readonly run: () => void;
  /** The editor has these keys; elsewhere they do nothing. */
  readonly inEditor?: true;
}

const inEditor = (command: (view: NonNullable<typeof editor>) => boolean) => () => {
  if (editor === null) return;
  editor.focus();
  command(editor);
};

export const commands: readonly StudioCommand[] = [
  { name: "findRaces", keys: "Mod-Enter", run: () => void execute("sanitize") },
  { name: "run", keys: "Mod-Shift-Enter", run: () => void execute("run") },
  { name: "profile", keys: "Mod-Alt-Enter", run: () => void execute("profile") },
  { name: "stop", keys: "Escape", run: stop },
  { name: "palette", keys: "Mod-k", run: () => toggleDialog("commands") },
  { name: "shortcuts", keys: "F1", run: () => toggleDialog("shortcuts") },
  { name: "examples", keys: "Mod-e", run: () => toggleDialog("examples") },
  { name: "share", keys: "Mod-Shift-s", run: () => toggleDialog("share") },
  { name: "newFile", keys: "Alt-n", run: newFile },
  { name: "closeFile", keys: "Alt-w", run: () => closeFile(store.activeName.value) },
  { name: "save", keys: "Mod-s", run: saveActive },
  { name: "saveAll", keys: null, run: () => void save(store.files.value, store.dataFiles.value) },
  { name: "openFile", keys: "Mod-o", run: () => document.getElementById("open-files")?.click() },
  { name: "focusEditor", keys: "Alt-0", run: focusEditor },
  { name: "contract", keys: "Alt-1", run: () => showAndFocus("contract") },
  { name: "launch", keys: "Alt-2", run: () => showAndFocus("launch") },
  { name: "result", keys: "Alt-3", run: () => showAndFocus("result") },
  { name: "findings", keys: "Alt-4", run: () => showAndFocus("findings") },
  { name: "contention", keys: "Alt-5", run: () => showAndFocus("contention") },
  { name: "start", keys: null, run: () => show("start") },
  { name: "problems", keys: "Alt-p", run: () => flip(store.problemsOpen) },
  { name: "memory", keys: "Alt-m", run: () => flip(store.showsMemory) },
  { name: "nonUniform", keys: "Alt-u", run: () => flip(store.showsNonUniform) },
  { name: "wrap", keys: "Alt-z", run: () => flip(wraps) },
  { name: "definition", keys: "F12", run: inEditor(goToDefinition), inEditor: true },
  { name: "rename", keys: "F2", run: inEditor(openRename), inEditor: true },
  { name: "quickFix", keys: "Mod-.", run: inEditor(quickFix), inEditor: true },
  { name: "theme", keys: "Alt-t", run: toggleTheme },
];

/** Who comes by the keyboard goes on from there. */
function showAndFocus(panel: store.PanelName): void {
  show(panel);
  // In a narrow window it is on the page after the next frame only.
  requestAnimationFrame(() => {
    const body = document.getElementById("panel-body");
    // Unless somebody was faster, and writes there already.
    if (!body?.contains(document.activeElement)) body?.focus();
  });
}

function flip(value: { value: boolean }): void {
  value.value = !value.value;
}

export function saveActive(): void {
  void save([store.activeFile.value], new Map());
}

async function save(files: readonly (store.OpenFile | null)[], data: typeof store.dataFiles.value): Promise<void> {
  const { saveAll } = await import("./save-all.ts");
  saveAll({ files: files.filter((file) => file !== null), data });
}

function toggleDialog(name: NonNullable<typeof store.dialog.value>): void {
  store.dialog.value = store.dialog.value === name ? null : name;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** As it is printed on the keys. */
export const keysText = (keys: string): string => printed(keys, isMac);

export function startKeyboard(): void {
  // Before the editor sees it, which has a meaning of its own for some.
  window.addEventListener("keydown", handle, { capture: true });
}

function handle(event: KeyboardEvent): void {
  const isText = isTyping(event.target);
  const command = commands.find(
    ({ keys, inEditor }) => keys !== null && inEditor === undefined && isPressed(event, keys, isMac, isText),
  );
  if (command === undefined) return;
  // Escape closes what is open first: a dialog, a list of completions.
  if (command.name === "stop" && (store.running.value === null || isSomethingOpen())) return;
  // Behind a dialog nothing changes; another one may take its place.
  if (store.dialog.value !== null && !DIALOGS.includes(command.name)) return;
  event.preventDefault();
  event.stopPropagation();
  // Who keeps a key down means it once.
  if (event.repeat) return;
  // A field that is being written tells what it holds when it is left.
  if (isText && (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement))
    event.target.blur();
  command.run();
}

const DIALOGS: readonly StudioCommand["name"][] = ["palette", "shortcuts", "examples", "share"];

/** What a mouse hovers over does not count: nobody means that by Escape. */
function isSomethingOpen(): boolean {
  if (store.dialog.value !== null) return true;
  const isInEditor = document.activeElement?.closest(".cm-editor") != null;
  return isInEditor && document.querySelector(".cm-tooltip-autocomplete, .signature, .cm-panel") !== null;
}

/** Where keys write: in a dialog's field too, which keeps what it holds. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
