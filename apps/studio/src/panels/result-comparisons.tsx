import type { Comparison } from "halay";
import { Icon } from "../parts/icon.tsx";
import { PlaceLink } from "../parts/place-link.tsx";
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
              ? t.value.result.asExpected(nameOf(each), each.compared)
              : t.value.result.notExpected(nameOf(each), each.count, each.compared)}
            {each.first !== null && <FirstDifference first={each.first} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The name says which device it is about. */
function nameOf({ name }: Comparison): string {
  const texts = t.value.result;
  return name.replace(/ on the GPU$/, ` ${texts.onGpu}`).replace(/ on both devices$/, ` ${texts.onBoth}`);
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
          {texts.writtenBy(writtenBy.invocation.global.join(", "))}
          {", "}
          <PlaceLink place={{ ...writtenBy, end: writtenBy.start }} />
        </>
      )}
    </p>
  );
}
