import { useSignal } from "@preact/signals";
import type { JsonFinding } from "halay";
import { EmptyPanel } from "../parts/empty-panel.tsx";
import { Icon } from "../parts/icon.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { FoundIn, Outdated, useLine } from "../parts/place-link.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { SeverityMark } from "../parts/severity.tsx";
import { selectFinding } from "../state/findings.ts";
import { findingsReport, selectedFinding } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { FindingDetails } from "./finding-details.tsx";
import "../styles/panels.css";

/** Rows that are on the page at first, and that every press adds. */
const ROWS = 100;

export function FindingsPanel() {
  const texts = t.value.findings;
  const shown = findingsReport.value;
  if (shown === null || shown.findings === null) {
    return <EmptyPanel text={texts.empty} icon="search" task="sanitize" action={t.value.commands.findRaces} />;
  }
  return (
    <FoundIn.Provider value={shown.texts}>
      <div class="findings">
        <Verdict findings={shown.findings} isOk={shown.diagnostics.every(({ severity }) => severity !== "error")} />
        <Outdated texts={shown.texts} />
        <FindingList findings={shown.findings} />
        <ProblemList items={shown.diagnostics} />
        {shown.checked !== null && <p class="faint">{texts.checked(shown.checked)}</p>}
      </div>
    </FoundIn.Provider>
  );
}

function FindingList({ findings }: { readonly findings: readonly JsonFinding[] }) {
  const texts = t.value.findings;
  const code = useSignal("");
  const most = useSignal(ROWS);
  const codes = [...new Set(findings.map((finding) => finding.code))];
  const wanted = codes.includes(code.value as JsonFinding["code"]) ? code.value : "";
  const fitting = findings
    .map((finding, i) => ({ finding, i }))
    .filter(({ finding }) => wanted === "" || finding.code === wanted);
  return (
    <>
      {codes.length > 1 && (
        <fieldset class="chips">
          <legend class="unseen">{texts.filter}</legend>
          <button type="button" aria-pressed={wanted === ""} onClick={() => (code.value = "")}>
            {texts.all} <span class="badge">{findings.length}</span>
          </button>
          {codes.map((each) => (
            <button key={each} type="button" aria-pressed={wanted === each} onClick={() => (code.value = each)}>
              {each} <span class="badge">{findings.filter((finding) => finding.code === each).length}</span>
            </button>
          ))}
        </fieldset>
      )}
      <ul class="finding-list">
        {fitting.slice(0, most.value).map(({ finding, i }) => (
          <FindingRow key={`${finding.fingerprint}-${i}`} finding={finding} index={i} />
        ))}
      </ul>
      <MoreButton left={fitting.length - most.value} onMore={() => (most.value += ROWS)} />
    </>
  );
}

function Verdict({ findings, isOk }: { readonly findings: readonly JsonFinding[]; readonly isOk: boolean }) {
  const texts = t.value.findings;
  const worst =
    (["error", "warning"] as const).find((each) => findings.some((item) => item.severity === each)) ?? "info";
  if (findings.length > 0) {
    return (
      <p class={`verdict ${worst === "error" ? "verdict-found" : `verdict-${worst}`}`} role="status">
        <Icon name={worst} />
        {texts.found(findings.length)}
      </p>
    );
  }
  return (
    <p class={isOk ? "verdict verdict-none" : "verdict verdict-found"} role="status">
      <Icon name={isOk ? "check" : "error"} />
      {isOk ? texts.none : texts.notRun}
    </p>
  );
}

function FindingRow({ finding, index }: { readonly finding: JsonFinding; readonly index: number }) {
  const isOpen = selectedFinding.value === index;
  const line = useLine(finding);
  const lineText = t.value.problems.line;
  return (
    <li class={isOpen ? "finding open" : "finding"}>
      <button
        type="button"
        class="finding-head"
        aria-expanded={isOpen}
        onClick={() => selectFinding(isOpen ? null : index)}
      >
        <SeverityMark severity={finding.severity} />
        <span>
          <span class="finding-message">{finding.message}</span>
          <span class="finding-meta">
            <code class="code-name">{finding.code}</code>{" "}
            {line === null ? <s title={t.value.problems.gone}>{lineText(finding.start.line)}</s> : lineText(line)}
            {finding.count > 1 && ` · ${t.value.findings.times(finding.count)}`}
          </span>
        </span>
      </button>
      {isOpen && <FindingDetails finding={finding} />}
    </li>
  );
}
