import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { BufferData, Part } from "../engine/protocol.ts";
import { Chart } from "../parts/chart.tsx";
import { HeatMap, LONGEST_SIDE } from "../parts/heat-map.tsx";
import { PixelImage } from "../parts/pixel-image.tsx";
import { columnOf } from "../state/values.ts";
import { later } from "../texts/later.ts";

interface ResultPlotProps {
  readonly buffer: BufferData;
  readonly part: Part;
  readonly kind: "line" | "bar" | "heat" | "image";
}

export function ResultPlot({ buffer, part, kind }: ResultPlotProps) {
  const texts = later.value.result;
  const chosen = useSignal(0);
  const width = useSignal(0);
  const column = part.columns[Math.min(chosen.value, part.columns.length - 1)];
  const widest = Math.min(part.count, LONGEST_SIDE);
  const across = Math.min(widest, width.value > 0 ? width.value : Math.ceil(Math.sqrt(part.count)));
  const values = useMemo(() => columnOf(buffer, part, column), [buffer, part, column]);
  const label = `${buffer.name}${part.path}[…]${part.inner === null ? "" : `${part.inner.path}[…]`}${column.name}`;
  return (
    <div class="plot">
      <div class="buffer-tools">
        {part.columns.length > 1 && kind !== "image" && (
          <label class="inline">
            {texts.column}
            <select
              value={String(chosen.value)}
              onChange={(event) => {
                chosen.value = Number(event.currentTarget.value);
              }}
            >
              {part.columns.map(({ name }, i) => (
                <option key={name} value={String(i)}>
                  {name.replace(/^\./, "")}
                </option>
              ))}
            </select>
          </label>
        )}
        {(kind === "heat" || kind === "image") && (
          <label class="inline">
            {texts.width}
            <input
              type="number"
              min="1"
              max={widest}
              value={across}
              onInput={(event) => {
                width.value = Math.max(1, Math.floor(Number(event.currentTarget.value)));
              }}
            />
          </label>
        )}
      </div>
      {kind === "heat" && <HeatMap values={values} across={across} label={label} scalar={column.scalar} />}
      {kind === "image" && <PixelImage buffer={buffer} part={part} across={across} label={label} />}
      {(kind === "line" || kind === "bar") && <Chart values={values} kind={kind} label={label} />}
    </div>
  );
}
