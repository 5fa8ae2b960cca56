import type { Comparison } from "halay";
import { goToPlace } from "../editor/view.ts";
import { Icon } from "../parts/icon.tsx";
import { t } from "../texts/texts.ts";

/** What was expected, and what came. */
export function Comparisons({ comparisons }: { readonly comparisons: readonly Comparison[] }) {
  if (comparisons.length === 0) return null;
  return (
    <ul class="comparisons">
      {comparisons.map((each) => (
        <li key={each.name} class={each.ok ? "comparison good" : "comparison bad"}>
          <Icon name={each.ok ? "check" : "error"} />
          <div>
            {each.ok
              ? t.value.result.asExpected(each.name, each.compared)
              : t.value.result.notExpected(each.name, each.count, each.compared)}
            {each.first !== null && <FirstDifference first={each.first} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function FirstDifference({ first }: { readonly first: NonNullable<Comparison["first"]> }) {
  const texts = t.value.result;
  const { path, expected, actual, writtenBy } = first;
  return (
    <p class="difference">
      <code>{path}</code>: {texts.expectedWord} <code>{JSON.stringify(expected)}</code>, {texts.actualWord}{" "}
      <code>{JSON.stringify(actual)}</code>
      {writtenBy !== null && (
        <>
          {" · "}
          <button type="button" class="link" onClick={() => goToPlace(writtenBy.path, writtenBy.start.offset)}>
            {texts.writtenBy(writtenBy.invocation.global.join(", "), writtenBy.start.line)}
          </button>
        </>
      )}
    </p>
  );
}
