import type { Comparison } from "halay";
import { Icon } from "../parts/icon.tsx";
import { PlaceLink } from "../parts/place-link.tsx";
import { later } from "../texts/later.ts";

/** What was expected, and what came. */
export function Comparisons({ comparisons }: { readonly comparisons: readonly Comparison[] }) {
  if (comparisons.length === 0) return null;
  const hasTwo = comparisons.some(({ name }) => deviceOf(name) === "gpu");
  return (
    <ul class="comparisons">
      {comparisons.map((each) => (
        <li key={each.name} class={each.ok ? "comparison good" : "comparison bad"}>
          <Icon name={each.ok ? "check" : "error"} />
          <div>
            {textOf(each, hasTwo)}
            {each.first !== null && <FirstDifference first={each.first} isBoth={deviceOf(each.name) === "both"} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

const ON_GPU = " on the GPU";
const ON_BOTH = " on both devices";

/** The name says which device it is about. */
function deviceOf(name: string): "cpu" | "gpu" | "both" {
  return name.endsWith(ON_BOTH) ? "both" : name.endsWith(ON_GPU) ? "gpu" : "cpu";
}

/** @param hasTwo both devices were compared with what is expected */
function textOf({ name, ok, count, compared }: Comparison, hasTwo: boolean): string {
  const texts = later.value.result;
  const device = deviceOf(name);
  if (device === "both") {
    const buffer = name.slice(0, -ON_BOTH.length);
    return ok ? texts.sameOnBoth(buffer, compared) : texts.differOnBoth(buffer, count, compared);
  }
  const buffer = device === "gpu" ? `${name.slice(0, -ON_GPU.length)} ${texts.onGpu}` : name;
  const said = device === "cpu" && hasTwo ? `${buffer} ${texts.onCpu}` : buffer;
  return ok ? texts.asExpected(said, compared) : texts.notExpected(said, count, compared);
}

interface FirstDifferenceProps {
  readonly first: NonNullable<Comparison["first"]>;
  /** Between the CPU and the GPU. */
  readonly isBoth: boolean;
}

function FirstDifference({ first, isBoth }: FirstDifferenceProps) {
  const texts = later.value.result;
  const { path, expected, actual, writtenBy } = first;
  return (
    <p class="difference">
      <code>{path}</code>: {isBoth ? "CPU" : texts.expectedWord} <code>{JSON.stringify(expected)}</code>,{" "}
      {isBoth ? "GPU" : texts.actualWord} <code>{JSON.stringify(actual)}</code>
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
