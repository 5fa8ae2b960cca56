import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { nameAt, renameTo } from "../editor/language.ts";
import { editor } from "../editor/view.ts";
import { dialog } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";

export function RenameDialog() {
  const texts = later.value.rename;
  const found = useSignal<{ readonly name: string; readonly count: number } | null | undefined>(undefined);
  const problem = useSignal("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (editor === null) return;
    void nameAt(editor).then((result) => {
      found.value = result;
      requestAnimationFrame(() => input.current?.select());
    });
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (editor === null || input.current === null) return;
    const why = await renameTo(editor, input.current.value.trim());
    problem.value = why ?? "";
    if (why === null) {
      dialog.value = null;
      editor.focus();
    }
  };
  return (
    <Dialog title={t.value.commands.rename}>
      {found.value === null && <p>{texts.nothing}</p>}
      {found.value != null && (
        <form onSubmit={submit} class="stack">
          <label>
            <span>{texts.newName(found.value.name, found.value.count)}</span>
            <input ref={input} type="text" value={found.value.name} spellcheck={false} autocomplete="off" />
          </label>
          {problem.value !== "" && (
            <p class="problem" role="alert">
              {problem.value}
            </p>
          )}
          <button type="submit" class="primary">
            {t.value.commands.rename}
          </button>
        </form>
      )}
    </Dialog>
  );
}
