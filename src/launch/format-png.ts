/**
 * PNG images as contents of buffers: rows of pixels from the top left. As elements of 4 bytes a pixel is its red, green, blue
 * and alpha byte, as in a texture of rgba8unorm; as `vec4f` it is those over 255. 8 bits per channel, not interlaced.
 * https://www.w3.org/TR/png-3/
 */

import "../diagnostics/catalogue-beyond.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import type { Layout } from "../layout/layout.ts";
import type { FileArray } from "./file-array.ts";
import { FormatError } from "./format-error.ts";
import { denseScalar } from "./leaves.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes per pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Image {
  readonly width: number;
  readonly height: number;
  readonly colourType: number;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array;
  readonly compressed: Uint8Array;
}

/** The pixels of an image in the form that the elements of `layout` take. */
export async function readPng(bytes: Uint8Array, layout: Layout): Promise<FileArray> {
  const image = readChunks(bytes);
  const channels = CHANNELS[image.colourType];
  const rows = unfilter(await inflate(image.compressed), image.width * channels, image.height, channels);
  const pixels = toRgba(rows, image);
  const asFloats = layout.element !== null && layout.stride === 16 && denseScalar(layout.element)?.kind === "f32";
  const data = asFloats ? new Uint8Array(Float32Array.from(pixels, (byte) => byte / 255).buffer) : pixels;
  const shape = [image.width * image.height];
  return { bytes: data, scalar: null, scalarSize: asFloats ? 16 : 4, shape, fortranOrder: false };
}

function readChunks(bytes: Uint8Array): Image {
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) throw new FormatError(phrase("begins-otherwise"));
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const compressed: Uint8Array[] = [];
  let palette = new Uint8Array();
  let transparency = new Uint8Array();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = data.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.slice(at + 8, at + 8 + length);
    if (body.length < length) throw new FormatError(phrase("cut-off"));
    if (type === "PLTE") palette = body;
    else if (type === "tRNS") transparency = body;
    else if (type === "IDAT") compressed.push(body);
    else if (type === "IEND") break;
    at += length + 12;
  }
  if (bytes.length < 33 || compressed.length === 0) throw new FormatError(phrase("cut-off"));
  const [depth, colourType, , , interlace] = bytes.subarray(24, 29);
  if (depth !== 8 || CHANNELS[colourType] === undefined || interlace !== 0) {
    throw new FormatError(phrase("png-depth"));
  }
  const joined = new Uint8Array(compressed.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of compressed) {
    joined.set(part, end);
    end += part.length;
  }
  return {
    width: data.getUint32(16),
    height: data.getUint32(20),
    colourType,
    palette,
    transparency,
    compressed: joined,
  };
}

async function inflate(compressed: Uint8Array): Promise<Uint8Array> {
  try {
    const stream = new Blob([compressed as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new FormatError(phrase("png-compressed"));
  }
}

/** Each row begins with the number of the filter that its bytes went through. https://www.w3.org/TR/png-3/#9Filters */
function unfilter(data: Uint8Array, width: number, height: number, pixel: number): Uint8Array {
  if (data.length !== (width + 1) * height) throw new FormatError(phrase("png-size"));
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (width + 1)];
    for (let x = 0; x < width; x++) {
      const left = x >= pixel ? out[y * width + x - pixel] : 0;
      const up = y > 0 ? out[(y - 1) * width + x] : 0;
      const corner = x >= pixel && y > 0 ? out[(y - 1) * width + x - pixel] : 0;
      out[y * width + x] = data[y * (width + 1) + 1 + x] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - corner;
      const [dLeft, dUp, dCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
      return dLeft <= dUp && dLeft <= dCorner ? left : dUp <= dCorner ? up : corner;
    }
    default:
      throw new FormatError(phrase("png-filter"));
  }
}

function toRgba(rows: Uint8Array, { colourType, palette, transparency }: Image): Uint8Array {
  const channels = CHANNELS[colourType];
  const count = rows.length / channels;
  const rgba = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const first = rows[i * channels];
    if (colourType === 3) {
      rgba.set(palette.subarray(first * 3, first * 3 + 3), i * 4);
      rgba[i * 4 + 3] = transparency[first] ?? 255;
    } else if (channels <= 2) rgba.set([first, first, first, channels === 2 ? rows[i * 2 + 1] : 255], i * 4);
    else
      rgba.set([first, rows[i * channels + 1], rows[i * channels + 2], channels === 4 ? rows[i * 4 + 3] : 255], i * 4);
  }
  return rgba;
}
