import { useSignal } from "@preact/signals";
import type { Checked, JsonFinding } from "halay";
import { EmptyPanel } from "../parts/empty-panel.tsx";
import { Icon } from "../parts/icon.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { FoundIn, Outdated, useLine } from "../parts/place-link.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { SeverityMark } from "../parts/severity.tsx";
import { countedBySeverity, selectFinding } from "../state/findings.ts";
import { findingsReport, selectedFinding } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { FindingDetails } from "./finding-details.tsx";
import "../styles/panels.css";

/** Rows that are on the page at first, and that every press adds. */
const ROWS = 100;

export function FindingsPanel() {
  const texts = later.value.findings;
  const shown = findingsReport.value;
  if (shown === null || shown.findings === null) {
    return <EmptyPanel text={texts.empty} icon="search" task="sanitize" action={t.value.commands.findRaces} />;
  }
  return (
    <FoundIn.Provider value={shown.texts}>
      <div class="findings">
        <Verdict
          findings={shown.findings}
          checked={shown.checked}
          isOk={shown.diagnostics.every(({ severity }) => severity !== "error")}
        />
        <Outdated texts={shown.texts} />
        <FindingList findings={shown.findings} />
        <ProblemList items={shown.diagnostics} />
        {shown.checked !== null && (
          <p class="faint">
            {texts.checked(shown.checked)}{" "}
            {shown.checked.checks.length > 0 &&
              texts.lookedFor(shown.checked.checks.map((each) => later.value.launch.checkNames[each]).join(", "))}
          </p>
        )}
      </div>
    </FoundIn.Provider>
  );
}

function FindingList({ findings }: { readonly findings: readonly JsonFinding[] }) {
  const texts = later.value.findings;
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

interface VerdictProps {
  readonly findings: readonly JsonFinding[];
  /** null: it could not be run to its end. */
  readonly checked: Checked | null;
  readonly isOk: boolean;
}

/** Whether there are races, first of all; then what else there is. */
function Verdict({ findings, checked, isOk }: VerdictProps) {
  const texts = later.value.findings;
  const others = findings.filter(({ code }) => !isRace(code));
  const races = findings.length - others.length;
  const wereLookedFor = checked?.checks.includes("races") === true;
  const first: Said | null =
    checked?.checks.length === 0
      ? { severity: "warning", text: texts.lookedForNothing }
      : races > 0
        ? { severity: "error", text: texts.races(races) }
        : !isOk
          ? { severity: "error", text: texts.notRun }
          : findings.length === 0
            ? { severity: null, text: wereLookedFor ? texts.none : texts.noneElse }
            : wereLookedFor
              ? { severity: null, text: texts.noRaces }
              : null;
  const rest = countedBySeverity(others).map(({ severity, count }) => ({
    severity,
    text: t.value.problems.counted[severity](count),
  }));
  const said = [...(first === null ? [] : [first]), ...rest];
  const worst = said.find(({ severity }) => severity !== null)?.severity ?? "none";
  return (
    <p class={`verdict verdict-${worst}`} role="status">
      {said.map(({ severity, text }) => (
        <span key={text} class={severity === null ? "good" : `severity-${severity}`}>
          <Icon name={severity ?? "check"} />
          {text}
        </span>
      ))}
    </p>
  );
}

interface Said {
  /** null: that is good. */
  readonly severity: JsonFinding["severity"] | null;
  readonly text: string;
}

function isRace(code: string): boolean {
  return code.startsWith("race-") || code === "wrong-barrier";
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
            {finding.count > 1 && ` · ${later.value.findings.times(finding.count)}`}
          </span>
        </span>
      </button>
      {isOpen && <FindingDetails finding={finding} />}
    </li>
  );
}
