import type { ComponentType } from "preact";
import { StartPanel } from "../panels/start.tsx";
import { show } from "../state/actions.ts";
import { countedBySeverity } from "../state/findings.ts";
import { files, findingsReport, type PanelName, panel, report, running, showsCode } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { ActionBar } from "./action-bar.tsx";
import { lazy } from "./lazy.tsx";
import { type Tab, TabList } from "./tab-list.tsx";

const PANELS: Readonly<Record<PanelName, ComponentType>> = {
  start: StartPanel,
  contract: lazy(async () => (await import("../panels/contract.tsx")).ContractPanel),
  launch: lazy(async () => (await import("../panels/launch.tsx")).LaunchPanel),
  result: lazy(async () => (await import("../panels/result.tsx")).ResultPanel),
  findings: lazy(async () => (await import("../panels/findings.tsx")).FindingsPanel),
  contention: lazy(async () => (await import("../panels/contention.tsx")).ContentionPanel),
};

type TabKey = PanelName | "code";

export function PanelPane() {
  const texts = t.value;
  const shown = files.value.length === 0 ? "start" : panel.value;
  const Panel = PANELS[shown];
  const names: readonly PanelName[] = ["contract", "launch", "result", "findings", "contention"];
  const tabs: Tab<TabKey>[] = names.map((name) => ({
    key: name,
    label: <PanelLabel name={name} />,
    hint: texts.panelHints[name],
  }));
  const onSelect = (key: TabKey) => {
    if (key === "code") showsCode.value = true;
    else show(key);
  };
  return (
    <section id="panel-pane" class="panel-pane" aria-label={texts.header.panels}>
      {(files.value.length > 0 || running.value !== null) && <ActionBar />}
      {files.value.length > 0 && (
        <div class="panel-tabs">
          <button
            type="button"
            class="tab code-tab"
            aria-pressed={showsCode.value}
            onClick={() => {
              showsCode.value = !showsCode.value;
            }}
          >
            {texts.header.code}
          </button>
          <TabList
            label={texts.header.panels}
            tabs={tabs}
            current={shown as TabKey}
            onSelect={onSelect}
            controls="panel-body"
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <div class="panel-body" id="panel-body" role="tabpanel" tabIndex={0} aria-label={texts.panels[shown]}>
        <Panel />
      </div>
    </section>
  );
}

function PanelLabel({ name }: { readonly name: PanelName }) {
  const texts = t.value;
  const findings = name === "findings" ? (findingsReport.value?.findings ?? null) : null;
  const failed = name === "result" && report.value !== null && report.value.comparisons.some(({ ok }) => !ok);
  return (
    <>
      {texts.panels[name]}
      {findings !== null && (
        <span class={`badge badge-${countedBySeverity(findings)[0]?.severity ?? "none"}`}>{findings.length}</span>
      )}
      {failed && <span class="badge badge-error">✕</span>}
    </>
  );
}
