import { commands, keysText } from "../state/commands.ts";
import { dialog } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { ChoiceList } from "./choice-list.tsx";
import { Dialog } from "./dialog.tsx";

export function CommandPalette() {
  const texts = t.value;
  const choices = commands
    .filter(({ name }) => name !== "palette")
    .map(({ name, keys }) => ({
      key: name,
      title: texts.commands[name],
      ...(keys === null ? {} : { keys: keysText(keys) }),
    }));
  return (
    <Dialog title={texts.commands.palette}>
      <ChoiceList
        label={texts.typeToFilter}
        choices={choices}
        empty={texts.nothingFits}
        onChoose={(key) => {
          dialog.value = null;
          commands.find(({ name }) => name === key)?.run();
        }}
      />
    </Dialog>
  );
}
