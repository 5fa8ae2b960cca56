import { beginToWrite } from "../editor/begin.ts";
import { Icon } from "../parts/icon.tsx";
import { lazy } from "../parts/lazy.tsx";
import { exampleText, exampleTitle } from "../state/example-names.ts";
import { openExample } from "../state/examples.ts";
import { execute } from "../state/running.ts";
import { dialog, panel, work } from "../state/store.ts";
import { t } from "../texts/texts.ts";

/** The example that shows what the studio is for. */
const RACE = "lost-update";
const Earlier = lazy(async () => (await import("../parts/earlier.tsx")).Earlier);
const OTHERS = ["two-level-histogram", "append-list", "block-sum", "ticket-lock", "layout-round-trip"] as const;

export function StartPanel() {
  const texts = t.value.start;
  const openRace = async () => {
    await openExample(RACE);
    await execute("sanitize");
  };
  const open = (name: string) => {
    panel.value = "launch";
    void openExample(name);
  };
  return (
    <div class="start">
      <h2>{texts.title}</h2>
      <p class="lead">{texts.lead}</p>
      <button type="button" class="primary big" onClick={openRace}>
        <Icon name="search" />
        {texts.showRace}
      </button>
      <p class="faint">{texts.showRaceHint}</p>
      <div class="start-ways">
        <button type="button" class="way" onClick={beginToWrite}>
          <Icon name="plus" />
          <strong>{texts.write}</strong>
          <span>{texts.writeHint}</span>
        </button>
        <button type="button" class="way" onClick={() => document.getElementById("open-files")?.click()}>
          <Icon name="folder" />
          <strong>{texts.open}</strong>
          <span>{texts.openHint}</span>
        </button>
      </div>
      {work.value.id !== "" && <Earlier />}
      <h3>{texts.more}</h3>
      <ul class="start-examples">
        {OTHERS.map((name) => (
          <li key={name}>
            <button type="button" class="link" onClick={() => open(name)}>
              {exampleTitle(name)}
            </button>
            <span class="faint">{exampleText(name)}</span>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="link"
        onClick={() => {
          dialog.value = "examples";
        }}
      >
        {texts.all}
      </button>
    </div>
  );
}
