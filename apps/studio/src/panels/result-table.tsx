import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { BufferData, Column, Part } from "../engine/protocol.ts";
import { expectedCells } from "../state/expected.ts";
import { cellPath, countChanges, formatValue, valueAt } from "../state/values.ts";
import { later } from "../texts/later.ts";

/** Rows that are on the page at once. */
const PAGE = 64;
/** Scalars side by side, of an array that has nothing else. */
const ACROSS = 8;

interface ResultTableProps {
  readonly buffer: BufferData;
  readonly part: Part;
  /** The same buffer after the run before. */
  readonly before: BufferData | null;
}

export function ResultTable({ buffer, part, before }: ResultTableProps) {
  const page = useSignal(0);
  const isGrid = part.isArray && part.columns.length === 1;
  const perPage = isGrid ? PAGE * ACROSS : PAGE;
  const pages = Math.max(1, Math.ceil(part.count / perPage));
  const at = Math.min(page.value, pages - 1);
  const from = at * perPage;
  const to = Math.min(part.count, from + perPage);
  const changed = useMemo(() => (before === null ? 0 : countChanges(buffer, before, part)), [buffer, before, part]);
  const texts = later.value.result;
  return (
    <div class="result-table">
      {before !== null && <p class="faint">{texts.changed(changed)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="table-scroll goes-on" tabIndex={0} aria-label={`${buffer.name}: ${texts.views.table}`}>
        {isGrid ? (
          <GridTable buffer={buffer} part={part} before={before} from={from} to={to} />
        ) : (
          <ColumnTable buffer={buffer} part={part} before={before} from={from} to={to} />
        )}
      </section>
      {pages > 1 && (
        <div class="pager">
          <button type="button" disabled={at === 0} onClick={() => (page.value = at - 1)}>
            ‹<span class="unseen">{later.value.result.previousPage}</span>
          </button>
          <span>{later.value.result.rows(part.first + from, part.first + to - 1, part.count)}</span>
          <button type="button" disabled={at === pages - 1} onClick={() => (page.value = at + 1)}>
            ›<span class="unseen">{later.value.result.nextPage}</span>
          </button>
        </div>
      )}
    </div>
  );
}

interface RowsProps extends ResultTableProps {
  readonly from: number;
  readonly to: number;
}

function GridTable({ buffer, part, before, from, to }: RowsProps) {
  const [column] = part.columns;
  const across = Math.min(ACROSS, Math.max(1, part.count));
  const starts = Array.from({ length: Math.ceil((to - from) / across) }, (_, i) => from + i * across);
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">{later.value.result.index}</th>
          {Array.from({ length: across }, (_, i) => (
            <th key={i} scope="col" class="number">
              +{i}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {starts.map((start) => (
          <tr key={start}>
            <th scope="row">{rowName(part, start)}</th>
            {Array.from({ length: Math.min(across, to - start) }, (_, i) => (
              <Cell key={start + i} buffer={buffer} part={part} before={before} column={column} row={start + i} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ColumnTable({ buffer, part, before, from, to }: RowsProps) {
  if (!part.isArray) {
    return (
      <table class="values">
        <tbody>
          {part.columns.map((column) => (
            <tr key={column.name}>
              <th scope="row">{column.name.replace(/^\./, "") || buffer.name}</th>
              <Cell buffer={buffer} part={part} before={before} column={column} row={0} />
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">{later.value.result.index}</th>
          {part.columns.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name.replace(/^\./, "")}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            <th scope="row">{rowName(part, row)}</th>
            {part.columns.map((column) => (
              <Cell key={column.name} buffer={buffer} part={part} before={before} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Elements of an inner array have the index of the outer one too. */
function rowName(part: Part, row: number): string {
  return part.inner === null ? String(part.first + row) : cellPath("", { ...part, path: "" }, { name: "" }, row);
}

interface CellProps extends ResultTableProps {
  readonly column: Column;
  readonly row: number;
}

function Cell({ buffer, part, before, column, row }: CellProps) {
  const value = valueAt(buffer.bytes, part, column, row);
  // Of a second part of one buffer the name says which.
  const name = buffer.name.replace(/:.*$/, "");
  const expected = expectedCells(name, part)?.[part.first + row];
  const differs = isExact(column.scalar) && typeof expected === "number" && expected !== value;
  const old = before === null ? value : valueAt(before.bytes, part, column, row);
  const path = cellPath(name, part, column, row);
  if (Object.is(value, old)) {
    return (
      <td class={differs ? "number unexpected" : "number"} title={differs ? `${path} · ${said(expected)}` : path}>
        {formatValue(value, column.scalar)}
        {differs && <span class="unseen"> {said(expected)}</span>}
      </td>
    );
  }
  const was = later.value.result.was(formatValue(old, column.scalar));
  return (
    <td
      class={differs ? "number changed unexpected" : "number changed"}
      title={`${path} · ${was}${differs ? ` · ${said(expected)}` : ""}`}
    >
      {formatValue(value, column.scalar)}
      <span class="unseen"> {differs ? `${was}, ${said(expected)}` : was}</span>
    </td>
  );
}

/** A float may be right without being equal. */
function isExact(scalar: Column["scalar"]): boolean {
  return scalar === "u32" || scalar === "i32";
}

function said(expected: number): string {
  return `${later.value.result.expectedWord} ${expected}`;
}
