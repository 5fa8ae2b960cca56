import { saveAll } from "../state/save-all.ts";
import { openInstead, snapshot } from "../state/work.ts";
import { putAside } from "../state/write-work.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

/** What is left to do on a page that broke. */
export function Rescue() {
  const startAfresh = () => {
    putAside(snapshot().work.id);
    openInstead([]);
    history.replaceState(null, "", location.pathname);
    location.reload();
  };
  return (
    <div class="row">
      <button type="button" class="primary" onClick={() => saveAll(snapshot())}>
        <Icon name="save" />
        {t.value.commands.saveAll}
      </button>
      <button type="button" onClick={startAfresh}>
        {t.value.work.afresh}
      </button>
    </div>
  );
}
