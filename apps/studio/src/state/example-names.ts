/** How examples are called in the interface. */
import { type Texts, t } from "../texts/texts.ts";

export function exampleTitle(name: string): string {
  const words = name.replace(/-/g, " ");
  return words[0].toUpperCase() + words.slice(1);
}

export function exampleText(name: string): string {
  const texts = t.value.examples as Readonly<Record<string, string>>;
  return texts[name] ?? "";
}

/** What they are about; in each group the first is the one to begin with. */
const GROUPS: Readonly<Record<keyof Texts["exampleGroups"], readonly (keyof Texts["examples"])[]>> = {
  counting: [
    "lost-update",
    "shared-counters",
    "histogram",
    "two-level-histogram",
    "two-level-histogram-tiles",
    "particles-per-cell",
  ],
  lists: ["append-list", "append-list-full", "reserve-space"],
  slots: ["pool", "pool-churn", "pool-unsafe"],
  sums: ["block-sum", "reduce", "float-sum", "float-sum-pointer"],
  largest: ["max-positive", "max-any-sign"],
  locks: ["ticket-lock", "try-lock"],
  layout: ["layout-round-trip"],
};

/** All examples in the order of their groups, each with its group in the language of the interface. */
export function groupedExamples(): readonly { readonly name: string; readonly group: string }[] {
  const titles = t.value.exampleGroups;
  return Object.entries(GROUPS).flatMap(([group, names]) =>
    names.map((name) => ({ name, group: titles[group as keyof typeof titles] })),
  );
}
