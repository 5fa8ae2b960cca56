/** Between code and panels: dragged, or moved with the arrow keys. */
import { split } from "../state/settings.ts";
import { t } from "../texts/texts.ts";

const LEAST = 25;
const MOST = 75;

function setSplit(percent: number): void {
  split.value = Math.round(Math.min(MOST, Math.max(LEAST, percent)));
}

export function Splitter() {
  const onPointerDown = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const box = bar.parentElement!.getBoundingClientRect();
    bar.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => setSplit(((clientX - box.left) / box.width) * 100);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -2 : event.key === "ArrowRight" ? 2 : 0;
    if (step !== 0) setSplit(split.value + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between paragraphs cannot be moved
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t.value.header.splitter}
      aria-valuenow={split.value}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
