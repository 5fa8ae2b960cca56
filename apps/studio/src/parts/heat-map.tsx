/** Values as a grid of colours from dark to light, as colour-blind people tell them apart too. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Scalar } from "../engine/protocol.ts";
import { countNonFinite, formatValue, rangeOf } from "../state/values.ts";
import { later } from "../texts/later.ts";

/** Stops of cividis. */
const STOPS: readonly (readonly [number, number, number])[] = [
  [0, 32, 76],
  [0, 63, 118],
  [73, 84, 108],
  [112, 113, 115],
  [153, 143, 116],
  [199, 176, 100],
  [255, 233, 69],
];

/** Of what is no number: none of the scale's. */
const NONE = [213, 94, 0] as const;

function heatColour(share: number): readonly [number, number, number] {
  if (Number.isNaN(share)) return NONE;
  const at = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(at));
  const [a, b] = [STOPS[low], STOPS[low + 1]];
  const mix = (i: number) => Math.round(a[i] + (b[i] - a[i]) * (at - low));
  return [mix(0), mix(1), mix(2)];
}

interface HeatMapProps {
  readonly values: ArrayLike<number>;
  readonly across: number;
  readonly label: string;
  readonly scalar: Scalar;
  /** The scale of what is counted begins with nothing. */
  readonly fromZero?: boolean;
}

/** More cells, and longer sides, are not drawn. */
export const MOST_CELLS = 2 ** 22;
export const LONGEST_SIDE = 2 ** 14;

export function HeatMap({ values, across, label, scalar, fromZero = false }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const under = useSignal<number | null>(null);
  const range = useMemo(() => rangeOf(values), [values]);
  const { max } = range;
  const min = fromZero ? Math.min(0, range.min) : range.min;
  const missing = useMemo(() => countNonFinite(values), [values]);
  const count = Math.min(values.length, MOST_CELLS, across * LONGEST_SIDE);
  const rows = Math.ceil(count / across);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context == null) return;
    const image = context.createImageData(across, rows);
    for (let i = 0; i < count; i++) {
      const [r, g, b] = heatColour(
        Number.isNaN(values[i]) ? Number.NaN : max === min ? 0 : (values[i] - min) / (max - min),
      );
      image.data.set([r, g, b, 255], i * 4);
    }
    context.putImageData(image, 0, 0);
  }, [values, across, rows, count, min, max]);
  const onMove = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * across);
    const y = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const index = y * across + x;
    under.value = x >= 0 && x < across && index < count ? index : null;
  };
  return (
    <figure class="heat">
      <canvas
        ref={canvas}
        width={across}
        height={rows}
        style={{ aspectRatio: `${across} / ${rows}`, maxWidth: `${Math.min(across * 28, (420 * across) / rows)}px` }}
        role="img"
        aria-label={later.value.result.plotLabel(label, values.length, min, max)}
        onPointerMove={onMove}
        onPointerLeave={() => {
          under.value = null;
        }}
      />
      <figcaption>
        <span>{formatValue(min, scalar)}</span>
        <span class="heat-scale" aria-hidden="true" />
        <span>{formatValue(max, scalar)}</span>
        {missing > 0 && <span>{later.value.result.notFinite(missing)}</span>}
        {count < values.length && <span>{later.value.result.firstOf(count, values.length)}</span>}
        <span class="heat-under">
          {under.value === null ? "" : `[${under.value}] = ${formatValue(values[under.value], scalar)}`}
        </span>
      </figcaption>
    </figure>
  );
}
