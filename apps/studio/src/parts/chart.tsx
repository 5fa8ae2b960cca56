/** Line and bar charts; the library that draws them is loaded when the first is shown. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { theme } from "../state/settings.ts";
import { extremes, means } from "../state/thin.ts";
import { countNonFinite, rangeOf } from "../state/values.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";

interface ChartProps {
  readonly values: Float64Array;
  readonly kind: "line" | "bar";
  readonly label: string;
}

const HEIGHT = 240;
const MOST_BARS = 256;
const MOST_POINTS = 4096;

export function Chart({ values, kind, label }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const colours = theme.value;
  const { index } = later.value.result;
  const { value } = later.value.findings;
  const number = t.value.anyNumber;
  const points = useMemo(
    () => (kind === "bar" ? means(values, MOST_BARS) : extremes(values, MOST_POINTS)),
    [values, kind],
  );
  useEffect(() => {
    let ended = false;
    let destroy = () => {};
    void import("./chart-draw.ts").then(({ draw }) => {
      if (!ended && place.current !== null)
        destroy = draw(place.current, points, kind, HEIGHT, { index, value, number });
    });
    return () => {
      ended = true;
      destroy();
    };
  }, [points, kind, colours, index, value, number]);
  const { min, max } = useMemo(() => rangeOf(values), [values]);
  const missing = useMemo(() => countNonFinite(values), [values]);
  return (
    <figure class="chart">
      {(points.per > 1 || missing > 0) && (
        <figcaption class="faint">
          {points.per > 1 && later.value.result.thinned[kind](points.per)}{" "}
          {missing > 0 && later.value.result.notFinite(missing)}
        </figcaption>
      )}
      <div ref={place} role="img" aria-label={later.value.result.plotLabel(label, values.length, min, max)} />
    </figure>
  );
}
