/** The expectations of a launch, after its run. */

import { runtimeElementCount } from "../layout/layout.ts";
import type { BufferView } from "../layout/view.ts";
import { typeName } from "../types/type.ts";
import { type Comparand, compareBuffers, type Difference, type Outcome } from "./compare.ts";
import { type Contents, makeContents, sameAs, spelledForm } from "./contents.ts";
import type { BufferContents, Expectation, ExpectationOptions } from "./launch.ts";
import { at, atAsync, type LaunchPath, launchError } from "./problem.ts";
import type { Comparison, WrittenBy } from "./results.ts";
import { type RunOptions, Session } from "./session.ts";
import { boundValue, parseBound, parseValuePath, viewAt } from "./value-path.ts";
import { type Cell, type Watched, watch } from "./watch.ts";

interface Checked {
  readonly name: string;
  readonly outcome: Outcome;
  /** Where the first difference lies; null where it lies nowhere. */
  readonly cell: Cell | null;
}

/** Compares each buffer that the launch expects something of, and finds who wrote what is wrong. */
export async function checkExpectations(session: Session, options: RunOptions): Promise<readonly Comparison[]> {
  const checked: Checked[] = [];
  for (const [name, expectation] of Object.entries(session.plan.launch.expect ?? {})) {
    const path: LaunchPath = ["expect", name];
    const found = await session.report.tryAsync(() =>
      atAsync(path, () => checkOne(session, name, expectation, path, options)),
    );
    if (found !== null) checked.push(found);
  }
  const writers = await findWriters(session, checked, options);
  return checked.map(({ name, outcome }, i) => ({
    name,
    ok: outcome.ok,
    count: outcome.count,
    compared: outcome.compared,
    maxUlp: outcome.maxUlp,
    first: outcome.first === null ? null : shownDifference(outcome.first, writers[i]),
  }));
}

function shownDifference({ path, expected, actual }: Difference, writtenBy: WrittenBy | null) {
  return { path, expected, actual, writtenBy };
}

async function checkOne(
  session: Session,
  name: string,
  given: Expectation,
  path: LaunchPath,
  options: RunOptions,
): Promise<Checked> {
  const valuePath = parseValuePath(name);
  const view = viewAt(session.view(valuePath.buffer, path), valuePath);
  const { layout } = view;
  const expectation = spelledForm(given, layout, path);
  const { unordered = false, count } = optionsOf(expectation);
  if ((unordered || count !== undefined) && layout.type.kind !== "array" && !layout.runtimeSized) {
    throw launchError(path, "expect-no-array", { name, type: typeName(layout.type) });
  }
  const expected = await expectedBytes(session, expectation, view, path, options);
  const viewOf = (buffer: string, place: LaunchPath) => session.view(buffer, place);
  const input: Comparand = {
    name: session.nameOf(valuePath, path),
    layout,
    actual: view.bytes,
    expected: expected.bytes,
    given: expected.elements ?? null,
    form: expected.form,
    tolerance: session.plan.launch.tolerance ?? {},
    unordered,
    count: count === undefined ? null : at([...path, "count"], () => boundValue(parseBound(count), viewOf, [])),
    cutExpected: typeof count === "number",
  };
  const outcome = compareBuffers(input);
  return { name: input.name, outcome, cell: cellOf(session, view, outcome.first) };
}

function optionsOf(expectation: Expectation): ExpectationOptions {
  const isPlain = typeof expectation === "object" && !Array.isArray(expectation) && !ArrayBuffer.isView(expectation);
  return isPlain ? (expectation as ExpectationOptions) : {};
}

async function expectedBytes(
  session: Session,
  expectation: Expectation,
  view: BufferView,
  path: LaunchPath,
  options: RunOptions,
): Promise<Pick<Contents, "bytes" | "form" | "elements">> {
  const same = sameAs(expectation);
  if (same !== null) return { bytes: session.view(same, [...path, "same"]).bytes, form: "values" };
  const { layout, bytes } = view;
  return makeContents(withoutOptions(expectation), {
    layout,
    defaultCount: runtimeElementCount(layout, bytes.byteLength),
    files: options.files ?? null,
    base: options.source?.path ?? "",
    path,
  });
}

/** In code the members of a structure may stand beside the options. */
function withoutOptions(expectation: Expectation): BufferContents {
  if (typeof expectation !== "object" || Array.isArray(expectation) || ArrayBuffer.isView(expectation)) {
    return expectation as BufferContents;
  }
  if (expectation instanceof ArrayBuffer) return expectation;
  const { unordered: _, count: __, ...contents } = expectation as ExpectationOptions & Record<string, unknown>;
  return contents as unknown as BufferContents;
}

function cellOf(session: Session, view: BufferView, first: Difference | null): Cell | null {
  if (first === null || first.byteOffset === null) return null;
  const place = session.placeOf(view.bytes);
  return place === null ? null : { memory: place.memory, offset: place.offset + first.byteOffset, size: first.size };
}

/** Runs once more and watches where the first differences lie; the last write of each is the one that is asked for. */
async function findWriters(
  session: Session,
  checked: readonly Checked[],
  options: RunOptions,
): Promise<readonly (WrittenBy | null)[]> {
  const watched: (Watched | null)[] = checked.map(({ cell }) => (cell === null ? null : watch(cell)));
  const cells = options.engine?.canBeWatched === false ? [] : watched.filter((each) => each !== null);
  const finished = cells.length > 0 && (await Session.rerun(session.plan, options, cells));
  if (!finished) return checked.map(() => null);
  return watched.map((each, i) => {
    const event = each?.events.findLast(({ kind }) => kind !== "read" && kind !== "atomic-read");
    if (event === undefined) return null;
    const { actual } = checked[i].outcome.first!;
    // Where the order decides, the second run may have come out differently: then it tells nothing of the first.
    if (typeof actual !== "object" && !Object.is(actual, event.after)) return null;
    return { invocation: event.invocation, path: event.path, start: event.start };
  });
}
