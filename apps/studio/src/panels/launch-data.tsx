import { IconButton } from "../parts/icon-button.tsx";
import { dataFiles, tell, work } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";

/** What was dropped or chosen, to see what is kept and to take it out. */
export function DataFieldset() {
  const texts = later.value.launch;
  const all = [...dataFiles.value];
  if (all.length === 0) return null;
  return (
    <fieldset class="fields">
      <legend>{texts.dataFiles}</legend>
      <ul class="data-files">
        {all.map(([name, bytes]) => (
          <li key={name} class="row">
            <bdi>{name}</bdi>
            <span class="faint">{later.value.contract.bytes(bytes.length)}</span>
            <IconButton icon="close" label={texts.remove(name)} onPress={() => takeOut(name, bytes)} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function takeOut(name: string, bytes: Uint8Array): void {
  const { id } = work.value;
  dataFiles.value = new Map([...dataFiles.value].filter(([other]) => other !== name));
  const run = () => {
    if (work.value.id === id && !dataFiles.value.has(name)) {
      dataFiles.value = new Map(dataFiles.value).set(name, bytes);
    }
  };
  tell(t.value.work.closed(name), "info", { label: t.value.work.undo, run });
}
