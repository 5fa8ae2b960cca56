import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toFragment } from "../state/share.ts";
import { activeName, files } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

export function ShareDialog() {
  const link = useSignal("");
  useEffect(() => {
    void toFragment({ files: files.value, active: activeName.value }).then((fragment) => {
      link.value = location.href.replace(/[?#].*$/, "") + fragment;
    });
  }, []);
  const texts = t.value.share;
  return (
    <Dialog title={t.value.commands.share}>
      <div class="stack">
        <p>{texts.explain}</p>
        <label>
          <span>{texts.link(link.value.length)}</span>
          <input type="text" readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <CopyButton text={() => link.value} label={texts.copy} />
      </div>
    </Dialog>
  );
}
