import { exampleText, exampleTitle, groupedExamples } from "../state/example-names.ts";
import { openExample } from "../state/examples.ts";
import { dialog, panel } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { ChoiceList } from "./choice-list.tsx";
import { Dialog } from "./dialog.tsx";

export function ExamplesDialog() {
  const texts = t.value;
  return (
    <Dialog title={texts.commands.examples}>
      <ChoiceList
        label={texts.typeToFilter}
        choices={groupedExamples().map(({ name, group }) => ({
          key: name,
          title: exampleTitle(name),
          detail: exampleText(name),
          group,
        }))}
        empty={texts.nothingFits}
        onChoose={(name) => {
          dialog.value = null;
          if (panel.value === "start") panel.value = "launch";
          void openExample(name);
        }}
      />
    </Dialog>
  );
}
