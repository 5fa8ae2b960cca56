/** The bytes of a layout, sixteen to a row; padding is hatched. A table says the same in words. */
import type { ReflectedLayout } from "halay";
import { bytePicture, type Stretch } from "../state/byte-picture.ts";
import { later } from "../texts/later.ts";

const ROW = 16;
/** Rows that are drawn. */
const MOST_ROWS = 24;
const HUES = 5;

interface ByteGridProps {
  readonly layout: ReflectedLayout;
  readonly label: string;
}

interface Piece {
  readonly stretch: Stretch;
  readonly row: number;
  readonly from: number;
  readonly bytes: number;
  readonly isFirst: boolean;
}

export function ByteGrid({ layout, label }: ByteGridProps) {
  const texts = later.value.contract;
  const picture = bytePicture(layout);
  const across = Math.min(ROW, Math.max(4, picture.size));
  const pieces = picture.stretches.flatMap((stretch) => piecesOf(stretch, across));
  const rows = Math.min(MOST_ROWS, 1 + Math.max(0, ...pieces.map(({ row }) => row)));
  return (
    <figure class="bytes">
      <div class="byte-rows" role="img" aria-label={texts.pictureLabel(label, picture.size)}>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} class="byte-row">
            <span class="byte-offset">{row * across}</span>
            <div
              class="byte-cells"
              style={{ gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`, maxWidth: `${across * 34}px` }}
            >
              {pieces
                .filter((piece) => piece.row === row)
                .map((piece) => (
                  <BytePiece key={piece.from} piece={piece} />
                ))}
            </div>
          </div>
        ))}
      </div>
      <figcaption class="faint">
        {picture.stride !== null && texts.stride(picture.stride, picture.count)} {texts.align(layout.align)}
      </figcaption>
      <details>
        <summary>{texts.asTable}</summary>
        <StretchTable stretches={picture.stretches} />
      </details>
    </figure>
  );
}

/** What a stretch takes of each row. */
function piecesOf(stretch: Stretch, across: number): readonly Piece[] {
  const pieces: Piece[] = [];
  // Of a long rest one row is enough.
  const size = stretch.kind === "more" ? Math.min(stretch.size, across - (stretch.offset % across)) : stretch.size;
  for (let at = stretch.offset; at < stretch.offset + size; ) {
    const row = Math.floor(at / across);
    const end = Math.min(stretch.offset + size, (row + 1) * across);
    pieces.push({ stretch, row, from: at % across, bytes: end - at, isFirst: at === stretch.offset });
    at = end;
  }
  return pieces;
}

function BytePiece({ piece: { stretch, from, bytes, isFirst } }: { readonly piece: Piece }) {
  const texts = later.value.contract;
  const { kind, path, type, offset, size, hue } = stretch;
  const what = kind === "padding" ? texts.padding : `${path === "" ? type : path}: ${type}`;
  return (
    <span
      class={`byte-piece byte-${kind} ${kind === "padding" ? "" : `hue-${hue % HUES}`}`}
      style={{ gridColumn: `${from + 1} / span ${bytes}` }}
      title={`${what} · ${texts.atOffset(offset, size)}`}
    >
      {kind !== "padding" && isFirst ? (path === "" ? type : path) : ""}
    </span>
  );
}

function StretchTable({ stretches }: { readonly stretches: readonly Stretch[] }) {
  const texts = later.value.contract;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col" class="number">
            {texts.offset}
          </th>
          <th scope="col" class="number">
            {texts.sizeWord}
          </th>
          <th scope="col">{texts.member}</th>
          <th scope="col">{texts.type}</th>
        </tr>
      </thead>
      <tbody>
        {stretches.map((each) => (
          <tr key={each.offset}>
            <td class="number">{each.offset}</td>
            <td class="number">{each.size}</td>
            <td>{each.kind === "padding" ? <span class="faint">{texts.padding}</span> : each.path}</td>
            <td>
              <code>{each.type}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
