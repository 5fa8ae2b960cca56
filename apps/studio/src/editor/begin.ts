/** How somebody begins to write: by a press, or by pasting where nothing is open yet. */
import { newFile, setText, show } from "../state/actions.ts";
import { activeName, files, showsCode } from "../state/store.ts";
import { editor } from "./view.ts";

export function beginToWrite(): void {
  newFile();
  show("launch");
  showsCode.value = true;
  // It is on the page after the next frame only.
  requestAnimationFrame(() => editor?.focus());
}

export function startPasting(): void {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.value.length > 0 || text.trim() === "") return;
    event.preventDefault();
    beginToWrite();
    setText(activeName.value, text);
  });
}
