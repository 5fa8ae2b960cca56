import { activate, newFile } from "../state/actions.ts";
import { saveActive } from "../state/commands.ts";
import { activeName, files, inspections } from "../state/store.ts";
import { closeFile } from "../state/work.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";
import { TabList } from "./tab-list.tsx";

export function FileTabs() {
  const texts = t.value;
  const tabs = files.value.map(({ name }) => ({ key: name, label: <FileLabel name={name} /> }));
  return (
    <div class="file-bar">
      {tabs.length > 0 && (
        <TabList
          label={texts.header.openFiles}
          tabs={tabs}
          current={activeName.value}
          onSelect={activate}
          controls="code-body"
          class="file-tabs"
        />
      )}
      <button type="button" class="quiet icon-only" title={texts.commands.newFile} onClick={newFile}>
        <Icon name="plus" />
        <span class="unseen">{texts.commands.newFile}</span>
      </button>
      {activeName.value !== "" && (
        <button type="button" class="quiet icon-only save-file" title={texts.commands.save} onClick={saveActive}>
          <Icon name="save" />
          <span class="unseen">{texts.commands.save}</span>
        </button>
      )}
      {activeName.value !== "" && (
        <button
          type="button"
          class="quiet icon-only close-file"
          title={texts.closeFile(activeName.value)}
          onClick={() => closeFile(activeName.value)}
        >
          <Icon name="close" />
          <span class="unseen">{texts.closeFile(activeName.value)}</span>
        </button>
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
