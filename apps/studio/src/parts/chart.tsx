/** Line and bar charts; the library that draws them is loaded when the first is shown. */
import { useEffect, useRef } from "preact/hooks";
import { theme } from "../state/settings.ts";
import { rangeOf } from "../state/values.ts";
import { t } from "../texts/texts.ts";

interface ChartProps {
  readonly values: Float64Array;
  readonly kind: "line" | "bar";
  readonly label: string;
}

const HEIGHT = 240;

export function Chart({ values, kind, label }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const colours = theme.value;
  useEffect(() => {
    let ended = false;
    let destroy = () => {};
    void import("./chart-draw.ts").then(({ draw }) => {
      if (!ended && place.current !== null) destroy = draw(place.current, values, kind, HEIGHT);
    });
    return () => {
      ended = true;
      destroy();
    };
  }, [values, kind, colours]);
  const { min, max } = rangeOf(values);
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={t.value.result.plotLabel(label, values.length, min, max)} />
    </figure>
  );
}
