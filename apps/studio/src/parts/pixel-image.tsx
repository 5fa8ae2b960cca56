/** A buffer as pixels: packed bytes, or three or four floats from 0 to 1. */
import { useEffect, useRef } from "preact/hooks";
import type { BufferData, Part } from "../engine/protocol.ts";
import { columnOf, rangeOf } from "../state/values.ts";
import { later } from "../texts/later.ts";
import { LONGEST_SIDE, MOST_CELLS } from "./heat-map.tsx";

interface PixelImageProps {
  readonly buffer: BufferData;
  readonly part: Part;
  readonly across: number;
  readonly label: string;
}

export function PixelImage({ buffer, part, across, label }: PixelImageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const count = Math.min(part.count, MOST_CELLS, across * LONGEST_SIDE);
  const rows = Math.ceil(count / across);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context == null) return;
    const image = context.createImageData(across, rows);
    paint(image.data, buffer, part, count);
    context.putImageData(image, 0, 0);
  }, [buffer, part, across, rows, count]);
  const texts = later.value.result;
  return (
    <figure class="heat">
      <canvas
        ref={canvas}
        width={across}
        height={rows}
        style={{ aspectRatio: `${across} / ${rows}`, maxWidth: `${Math.min(across * 28, (420 * across) / rows)}px` }}
        role="img"
        aria-label={`${label}, ${across} × ${rows}`}
      />
      <figcaption>
        {texts.pixels[modeOf(part)]} {count < part.count && texts.firstOf(count, part.count)}
      </figcaption>
    </figure>
  );
}

type Mode = "colours" | "packed" | "gray";

function modeOf({ columns }: Part): Mode {
  if (columns.length >= 3) return "colours";
  return columns[0].scalar === "u32" && columns.length === 1 ? "packed" : "gray";
}

function paint(pixels: Uint8ClampedArray, buffer: BufferData, part: Part, count: number): void {
  const mode = modeOf(part);
  const columns = part.columns.slice(0, 4).map((column) => columnOf(buffer, part, column));
  const [first, second, third, fourth] = columns;
  // Small numbers have no fourth byte: who writes none sees them all the same.
  const isOpaque = mode === "packed" && first.every((value) => value < 2 ** 24);
  const { min, max } = rangeOf(first);
  for (let i = 0, at = 0; i < count; i++, at += 4) {
    const value = first[i];
    if (mode === "colours") {
      pixels[at] = value * 255;
      pixels[at + 1] = second[i] * 255;
      pixels[at + 2] = third[i] * 255;
      pixels[at + 3] = fourth === undefined ? 255 : fourth[i] * 255;
    } else if (mode === "packed") {
      // A file that was dropped as .png comes in this form.
      pixels[at] = value & 255;
      pixels[at + 1] = (value >>> 8) & 255;
      pixels[at + 2] = (value >>> 16) & 255;
      pixels[at + 3] = isOpaque ? 255 : value >>> 24;
    } else {
      const grey = max === min ? 0 : ((value - min) / (max - min)) * 255;
      pixels[at] = pixels[at + 1] = pixels[at + 2] = grey;
      pixels[at + 3] = 255;
    }
  }
}
