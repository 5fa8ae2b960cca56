import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { saveAll } from "../state/save-all.ts";
import { toFragment } from "../state/share.ts";
import { activeName, dataFiles, files } from "../state/store.ts";
import { snapshot } from "../state/work.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";

/** Some browsers cut longer addresses off. */
const LONGEST = 1_000_000;

/** Served by the command, which nobody else reaches. */
const isHere = /^(?:127\.|localhost$|\[::1\]$)/.test(location.hostname);

export function ShareDialog() {
  /** null: there is more than a link holds. */
  const link = useSignal<string | null>("");
  useEffect(() => {
    void toFragment({ files: files.value, active: activeName.value }).then((fragment) => {
      link.value = fragment === null ? null : location.href.replace(/[?#].*$/, "") + fragment;
    });
  }, []);
  const texts = later.value.share;
  const left = [...dataFiles.value];
  return (
    <Dialog title={t.value.commands.share}>
      <div class="stack">
        {link.value === null ? (
          <p class="problem">{texts.tooLarge}</p>
        ) : (
          <>
            <p>{texts.explain}</p>
            <label>
              <span>{texts.link(link.value.length)}</span>
              <input type="text" readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
            </label>
            {link.value.length > LONGEST && <p class="problem">{texts.tooLong}</p>}
            {isHere && <p class="faint">{texts.onlyHere}</p>}
          </>
        )}
        {left.length > 0 && (
          <div>
            <p>{texts.leftOut}</p>
            <ul>
              {left.map(([name, { length }]) => (
                <li key={name}>
                  <bdi>{name}</bdi> <span class="faint">{later.value.contract.bytes(length)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div class="row">
          {link.value !== null && <CopyButton text={() => link.value ?? ""} label={texts.copy} isMain />}
          <button type="button" onClick={() => saveAll(snapshot())}>
            <Icon name="save" />
            {t.value.commands.saveAll}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
