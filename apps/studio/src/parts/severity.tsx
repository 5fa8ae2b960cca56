/** Severity by shape, colour and word. */
import type { Severity } from "halay";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`severity severity-${severity}`}>
      <Icon name={severity} />
      <span class="unseen">{t.value.problems.severity[severity]}</span>
    </span>
  );
}
