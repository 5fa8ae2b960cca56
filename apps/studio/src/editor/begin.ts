/** How somebody begins: by a press, by pasting where nothing is open yet, or with files. */
import { newFile, setText, show } from "../state/actions.ts";
import { activeName, files, showsCode } from "../state/store.ts";
import { editor } from "./view.ts";

export function beginToWrite(): void {
  newFile();
  show("launch");
  showsCode.value = true;
  // At once, for who types on. In a narrow window it is on the page after the next frame only.
  document.getElementById("code-body")?.classList.remove("empty");
  editor?.focus();
  requestAnimationFrame(() => editor?.focus());
}

export async function takeFiles(list: readonly File[]): Promise<void> {
  if (list.length > 0) await (await import("../state/take-files.ts")).takeFiles(list);
}

/** Files may be dropped anywhere, also on the editor, which would insert them. */
export function startDropping(): void {
  const isOurs = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes("Files") === true && (target as Element).closest?.(".buffer-field") == null;
  const stop = (event: DragEvent) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    event.stopPropagation();
    document.documentElement.classList.toggle("dropping", event.type === "dragover");
    if (event.type === "drop") void takeFiles([...event.dataTransfer!.files]);
  };
  window.addEventListener("dragover", stop, { capture: true });
  window.addEventListener("drop", stop, { capture: true });
  window.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) document.documentElement.classList.remove("dropping");
  });
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
