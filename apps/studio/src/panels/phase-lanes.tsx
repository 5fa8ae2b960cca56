/** Two invocations as lanes, barriers as lines across them: what is between the same lines has no order. */
import type { JsonAccess } from "halay";
import { later } from "../texts/later.ts";

interface PhaseLanesProps {
  readonly first: JsonAccess;
  readonly second: JsonAccess;
}

/** So that its letters are as large as others: where there is little room it is drawn narrow, not small. */
const widthNow = () => (innerWidth < 1000 ? 300 : 440);
const LANE = 28;
const TOP = 24;
const LEFT = 30;
/** Phases that are drawn. None behind the later access: whether a barrier comes there is not known. */
const MOST = 6;

export function PhaseLanes({ first, second }: PhaseLanesProps) {
  const texts = later.value.findings;
  const start = Math.max(0, Math.min(first.phase, second.phase) - 1);
  const end = Math.min(start + MOST - 1, Math.max(first.phase, second.phase));
  const count = end - start + 1;
  const width = widthNow();
  const step = (width - LEFT - 8) / count;
  const middle = (phase: number) => LEFT + (Math.min(phase, end) - start + 0.5) * step;
  const bottom = TOP + 2 * LANE;
  const sameWorkgroup = first.invocation.workgroup.join() === second.invocation.workgroup.join();
  const together = sameWorkgroup && first.phase === second.phase;
  return (
    <figure class="lanes">
      <svg
        width={width}
        viewBox={`0 0 ${width} ${bottom + 8}`}
        role="img"
        aria-label={texts.lanesLabel(first.phase, second.phase)}
      >
        {together && (
          <rect class="lane-together" x={middle(first.phase) - step / 2} y={TOP} width={step} height={2 * LANE} />
        )}
        {sameWorkgroup &&
          Array.from({ length: count - 1 }, (_, i) => (
            <line
              key={i}
              class="lane-barrier"
              x1={LEFT + (i + 1) * step}
              x2={LEFT + (i + 1) * step}
              y1={TOP - 4}
              y2={bottom + 4}
            />
          ))}
        {Array.from({ length: count }, (_, i) => (
          <text key={i} class="lane-phase" x={LEFT + (i + 0.5) * step} y={TOP - 8} text-anchor="middle">
            {texts.phaseNumber(start + i)}
          </text>
        ))}
        {[first, second].map((access, i) => {
          const role = i === 0 ? "first" : "second";
          const y = TOP + (i + 0.5) * LANE;
          return (
            <g key={role} class={`lane lane-${role}`}>
              <text x="4" y={y + 4}>
                {i === 0 ? "A" : "B"}
              </text>
              <line x1={LEFT} x2={width - 8} y1={y} y2={y} />
              {i === 0 ? (
                <circle cx={middle(access.phase)} cy={y} r="6" />
              ) : (
                <rect x={middle(access.phase) - 5.5} y={y - 5.5} width="11" height="11" />
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>
        {!sameWorkgroup
          ? texts.lanesAcross
          : together
            ? count === 1
              ? texts.lanesNone
              : texts.lanes
            : texts.lanesOrdered}
      </figcaption>
    </figure>
  );
}
