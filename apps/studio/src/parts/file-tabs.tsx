import { activate, newFile } from "../state/actions.ts";
import { saveActive } from "../state/commands.ts";
import { activeName, files, inspections } from "../state/store.ts";
import { closeFile } from "../state/work.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "./icon-button.tsx";
import { TabList } from "./tab-list.tsx";

export function FileTabs() {
  const texts = t.value;
  const name = activeName.value;
  const tabs = files.value.map(({ name }) => ({ key: name, label: <FileLabel name={name} /> }));
  return (
    <div class="file-bar">
      {tabs.length > 0 && (
        <TabList
          label={texts.header.openFiles}
          tabs={tabs}
          current={name}
          onSelect={activate}
          controls="code-body"
          class="file-tabs"
        />
      )}
      <IconButton icon="plus" label={texts.commands.newFile} onPress={newFile} />
      {name !== "" && (
        <>
          <IconButton icon="save" name="save-file" label={texts.commands.save} onPress={saveActive} />
          <IconButton icon="close" label={texts.closeFile(name)} onPress={() => closeFile(name)} />
        </>
      )}
    </div>
  );
}

function FileLabel({ name }: { readonly name: string }) {
  const errors = inspections.value.get(name)?.diagnostics.filter(({ severity }) => severity === "error").length ?? 0;
  return (
    <>
      <bdi>{name}</bdi>
      {errors > 0 && (
        <span class="badge badge-error" title={t.value.problems.errors(errors)}>
          {errors}
          <span class="unseen"> {t.value.problems.errors(errors)}</span>
        </span>
      )}
    </>
  );
}
