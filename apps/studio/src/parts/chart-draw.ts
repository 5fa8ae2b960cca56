import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Points } from "../state/thin.ts";

/** Draws and follows the width of its place; gives what takes it away again. */
export function draw(
  place: HTMLElement,
  points: Points,
  kind: "line" | "bar",
  height: number,
  labels: { readonly index: string; readonly value: string; readonly number: (value: number) => string },
): () => void {
  const { x, y, per } = points;
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--faint"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line") },
    values: (_: uPlot, values: readonly number[]) => values.map(labels.number),
  };
  // Nothing, where nothing is pointed at.
  const shown = (_: uPlot, value: number | null) => (value === null ? "" : labels.number(value));
  const bars = kind === "bar" && uPlot.paths.bars !== undefined ? { paths: uPlot.paths.bars({ size: [0.8, 60] }) } : {};
  const plot = new uPlot(
    {
      width: Math.max(200, place.clientWidth),
      height,
      scales: {
        // Half a bar more at each end.
        x: {
          time: false,
          ...(kind === "bar" || y.length === 1 ? { range: [-0.6 * per, (y.length - 0.4) * per] } : {}),
        },
        ...(kind === "bar" ? { y: { range: (_, min, max) => [Math.min(0, min), max] } } : {}),
      },
      axes: [axis, { ...axis, size: 64 }],
      legend: { live: true },
      series: [
        { label: labels.index, value: shown },
        {
          label: labels.value,
          value: shown,
          stroke: kind === "bar" ? undefined : colour("--accent"),
          fill: kind === "bar" ? colour("--accent") : undefined,
          width: kind === "bar" ? 0 : 1.5,
          points: { show: kind === "line" && y.length < 80 },
          ...bars,
        },
      ],
    } as uPlot.Options,
    // A gap where there is nothing to draw.
    [x, Array.from(y, (value) => (Number.isFinite(value) ? value : null))] as unknown as uPlot.AlignedData,
    place,
  );
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(200, place.clientWidth), height }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}
