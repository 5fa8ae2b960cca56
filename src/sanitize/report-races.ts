/** Findings of pairs of places: one for each two lines, whatever the number of operations on them. */

import { isDivergentAt } from "../analysis/uniformity/flow.ts";
import { FINDINGS } from "../diagnostics/catalogue-findings.ts";
import { type Note, note, phrase } from "../diagnostics/diagnostic.ts";
import type { AccessSite } from "../engine/flat.ts";
import { onceFor } from "../text/once.ts";
import { isSameSpan } from "../text/source.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import { instructionKey } from "./atomic-uses.ts";
import { blindHint } from "./blind-exchanges.ts";
import { isChased } from "./chases.ts";
import {
  accessOf,
  accessPhrase,
  accessValue,
  type DispatchScope,
  draft,
  invocationText,
  lineOf,
  resourceAt,
  resourceOf,
  sourceOf,
  tripleText,
  valueText,
} from "./draft.ts";
import type { Finding } from "./finding.ts";
import type { FindingRoom, Tellable } from "./finding-room.ts";
import type { FindingPlace, Known } from "./fold.ts";
import { reservationHint } from "./guard-hints.ts";
import { locksOf } from "./locks.ts";
import type { SpotOf } from "./met-spots.ts";
import type { PairKind } from "./pair-keys.ts";
import type { More } from "./pair-store.ts";
import { type BarrierPlace, barrierBetween, barrierPlace, pathOf, waysTo } from "./places.ts";
import { isAtomic, writes } from "./race.ts";
import { memoryOf, type Pair } from "./race-log.ts";
import type { Seen } from "./race-scope.ts";
import { isCalledAgain } from "./round-places.ts";
import { isLineEnd, type Rounds } from "./rounds.ts";
import { isLeftAsError } from "./suppress.ts";
import { claimHint, isTakenBySeveral, oneWordHint, placeFirstHint, swapHint } from "./timing-hints.ts";
import { atomicHint, isWrittenFromRead, type Updates, updatesAmong } from "./update-hints.ts";

type RaceCode =
  | "race-workgroup"
  | "race-storage"
  | "race-across-workgroups"
  | "wrong-barrier"
  | "same-value-write"
  | "unordered-atomics"
  | "out-of-bounds";

/** Not all addresses that race, or not all workgroups, were looked at for who does. */
export interface Watched {
  readonly parts: "addresses" | "workgroups";
  readonly watched: number;
  readonly all: number;
}

/** A number for each variable and line, by which pairs are told as one. */
export function spotsIn(scope: DispatchScope): SpotOf {
  const numbers = new Map<string, number>();
  const known: number[] = [];
  return ({ id, root, span }) => {
    if (known[id] === undefined) {
      const key = [root, lineOf(scope, span.start)].join();
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      known[id] = number;
    }
    return known[id];
  };
}

/** Of which cells, and how many findings are told. */
export interface RacesTold {
  readonly watched: Watched | null;
  readonly known: Known | null;
  readonly room: FindingRoom;
  /** Pairs of lines that are not among the pairs. */
  readonly more: More;
}

/** Pairs that are told as one, by the one that says most. */
interface Group extends Tellable {
  readonly pairs: readonly Pair[];
  readonly best: Pair;
}

/** Pairs of one code, variable and pair of lines are one finding. */
export async function raceFindings(
  scope: DispatchScope,
  pairs: readonly Pair[],
  { watched, known, room, more }: RacesTold,
  { rounds, isTaken }: Trials,
): Promise<readonly Finding[]> {
  const groups = groupsOf(scope, pairs);
  const fresh = groups.filter(({ place }) => known?.has(place) !== true);
  const told = room.chosen(fresh);
  const untold = more.races + more.timing + fresh.length - told.length;
  room.note(scope.module, untold, untold > 0 && hasUntoldErrors(scope, groups, fresh, told, more));
  const findings: Finding[] = [];
  const updates = updatesAmong(scope, pairs);
  for (const { best, pairs: group } of told) {
    const count = group.reduce((most, pair) => Math.max(most, pair.count), 0);
    const isAcross = group.some(isAcrossWorkgroups);
    // Trying which barriers are needed takes its time, and is for pairs that barriers order.
    const hint =
      lockHint(scope, best, { pairs, updates }) ??
      placeFirstHint(scope, best, pairs) ??
      (codeOf(best) === "unordered-atomics" ? blindHint(scope, best) : null) ??
      hintWithoutPlace(scope, best, isAcross, { pairs, updates }) ??
      (await takenHint(scope, best, isTaken)) ??
      barrierHint(scope, best, pairs, await rounds(best));
    let finding = raceFinding(scope, best, count, hint);
    if (watched !== null) finding = partly(finding, watched);
    if (untold > 0) finding = besides(finding, note("pairs-untold", finding.span, { told: told.length, untold }));
    findings.push(finding);
  }
  return findings;
}

/** What is known from running a workgroup once more. */
interface Trials {
  readonly rounds: (pair: Pair) => Promise<Rounds | null>;
  readonly isTaken: (pair: Pair) => Promise<boolean>;
}

/** null where no lock is meant to keep the two apart, or one atomic function does all that is done under it. */
function lockHint(scope: DispatchScope, pair: Pair, { pairs, updates }: Among): Note | null {
  const isOfLock = ({ first }: Pair): boolean => locksOf(scope.module).isLock(first.site.root);
  if (!(isUnderLock(scope, pair) || isOfLock(pair)) || pair.overrun || pair.sameValue || pair.kind === "wrong-barrier")
    return null;
  const under = pairs.filter((each) => isUnderLock(scope, each) && !isOfLock(each));
  const isLone = updates.size === 1 && under.every((each) => atomicHint(scope, each, updates) !== null);
  if (isLone && under.includes(pair)) return null;
  return note("hint-no-wait", pair.second.site.span, { instead: phrase("instead-atomics") });
}

function isUnderLock({ module }: DispatchScope, { first, second }: Pair): boolean {
  const [over, others] = [first, second].map(({ site }) => locksOf(module).over(site));
  return [...over].some((root) => others.has(root));
}

/** What is read where a loop has waited, or waits, for a flag that is set behind the write; null: it is not. */
function flagHint(scope: DispatchScope, { first, second }: Pair): Note | null {
  const [write, read] = writes(first.kind) ? [first.site, second.site] : [second.site, first.site];
  const flag = locksOf(scope.module).flagBetween(write, read);
  if (flag === null || writes(first.kind) === writes(second.kind)) return null;
  const { name } = scope.module.roots[flag.inst.root!];
  return note("hint-flag-word", second.site.span, {
    name: pathOf(scope.module, flag.function, flag.inst.pointer, name),
  });
}

/** null where a barrier may help. */
async function takenHint(scope: DispatchScope, pair: Pair, isTaken: Trials["isTaken"]): Promise<Note | null> {
  const claim = codeOf(pair) === "unordered-atomics" ? claimHint(scope, pair) : null;
  return claim !== null && (await isTaken(pair)) ? claim : null;
}

/** Some of what is not told is an error, and the source does not silence it. */
function hasUntoldErrors(
  { step: { program } }: DispatchScope,
  groups: readonly Group[],
  fresh: readonly Group[],
  told: readonly Group[],
  { races }: More,
): boolean {
  // Of each place of a race that is an error, one that is such is among the pairs: whatever two of them are a pair, if
  // all are silenced it is.
  const isOpen = ({ isError, place }: Group): boolean =>
    isError && place.accesses.some(({ span }) => isLeftAsError(program, { ...place, span, accesses: [] }));
  if (races > 0 && groups.some(isOpen)) return true;
  const isTold = new Set(told);
  return fresh.some((group) => group.isError && !isTold.has(group) && isLeftAsError(program, group.place));
}

function groupsOf(scope: DispatchScope, pairs: readonly Pair[]): readonly Group[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const { first, second } = pair;
    const lines = [first, second].map((seen) => lineOf(scope, seen.site.span.start));
    const key = [codeOf(pair), first.site.root, ...lines].join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pair]);
    else group.push(pair);
  }
  return [...groups.values()].map((group) => {
    const [best] = group.sort((a, b) => rank(a) - rank(b) || a.first.site.id - b.first.site.id);
    const place = placeOf(scope, best);
    return { pairs: group, best, place, isError: FINDINGS[place.code].severity === "error", rank: rank(best) };
  });
}

function partly(finding: Finding, { parts, ...counts }: Watched): Finding {
  return besides(finding, note(`part-watched-${parts}`, finding.span, counts));
}

/** The last note stays the likely repair. */
function besides(finding: Finding, told: Note): Finding {
  return { ...finding, notes: [...finding.notes.slice(0, -1), told, ...finding.notes.slice(-1)] };
}

/** By what the finding will be known, without the finding. */
function placeOf(scope: DispatchScope, pair: Pair): FindingPlace & { readonly code: RaceCode } {
  const { first, second } = pair;
  const { root } = narrower(first, second).site;
  return {
    code: codeOf(pair),
    source: sourceOf(scope),
    span: second.site.span,
    accesses: [first.site, second.site],
    resource: root === null ? null : scope.module.roots[root],
  };
}

export function codeOf({ kind, sameValue, overrun, first }: Pair): RaceCode {
  if (overrun) return "out-of-bounds";
  if (sameValue) return "same-value-write";
  return CODES[kind] ?? (first.site.space === "workgroup" ? "race-workgroup" : "race-storage");
}

const CODES: Readonly<Record<PairKind, RaceCode | null>> = {
  race: null,
  "race-across-workgroups": "race-across-workgroups",
  "wrong-barrier": "wrong-barrier",
  timing: "unordered-atomics",
  "timing-across-workgroups": "unordered-atomics",
};

/** A write that another one reads says more than two writes. */
function rank({ first, second }: Pair): number {
  return writes(first.kind) && writes(second.kind) ? 1 : 0;
}

/** Of a whole structure and a part of it the part is what both touch. */
function narrower(first: Seen, second: Seen): Seen {
  const isPart = first.site.root === second.site.root && first.offset > second.offset;
  return isPart && isComposite(second) ? first : second;
}

function isComposite({ site }: Seen): boolean {
  return site.type.kind === "struct" || site.type.kind === "array" || site.type.kind === "matrix";
}

function raceFinding(scope: DispatchScope, pair: Pair, count: number, hint: Note): Finding {
  const { first, second } = pair;
  // The finding stands at the second place: that is what comes too early.
  const resource = resourceOf(scope, narrower(first, second));
  const path = resource?.path ?? "";
  const parts = {
    resource,
    accesses: [accessOf(scope, first), accessOf(scope, second)],
    notes: notesOf(scope, pair, hint),
    count,
  };
  const { span } = second.site;
  const code = codeOf(pair);
  const args = {
    path,
    access: accessPhrase(second.site),
    invocation: invocationText(scope, second),
    other: accessPhrase(first.site),
    line: lineOf(scope, first.site.span.start),
    otherInvocation: invocationText(scope, first),
  };
  switch (code) {
    case "race-across-workgroups": {
      const { invocation: _, otherInvocation: __, ...others } = args;
      const groups = { workgroup: tripleText(second.workgroupId), otherWorkgroup: tripleText(first.workgroupId) };
      return draft(scope, code, span, { ...others, ...groups }, parts);
    }
    case "wrong-barrier": {
      const barrier = pair.barrier === null ? phrase("a-barrier") : `${pair.barrier.barrier}Barrier`;
      return draft(scope, code, span, { ...args, barrier, memory: memoryOf(first) }, parts);
    }
    case "same-value-write":
      return draft(scope, code, span, { path, value: valueText(accessValue(second)) }, parts);
    case "out-of-bounds":
      return overrunFinding(scope, pair, parts);
    default:
      return draft(scope, code, span, args, parts);
  }
}

/** The places that one counter gives run into those of another one. */
function overrunFinding(scope: DispatchScope, { first, second }: Pair, parts: Parameters<typeof draft>[4]): Finding {
  const counterOf = ({ reservation }: Seen) => resourceAt(scope, reservation!.root, reservation!.offset).path;
  // Whoever was given the later place of its own has left its part of the array.
  const [later, other] = reservedOffset(first) >= reservedOffset(second) ? [second, first] : [first, second];
  const problem = phrase("overrun", {
    counter: counterOf(later),
    otherCounter: counterOf(other),
    path: parts.resource?.path ?? "",
  });
  const args = {
    name: scope.module.roots[second.site.root!].name,
    access: accessPhrase(second.site),
    invocation: invocationText(scope, later),
    problem,
  };
  return draft(scope, "out-of-bounds", second.site.span, args, parts);
}

function reservedOffset({ reservation }: Seen): number {
  return reservation!.offset;
}

// ---------------------------------------------------------------- notes

function notesOf(scope: DispatchScope, pair: Pair, hint: Note): readonly Note[] {
  const { first, second, barrier } = pair;
  const notes: Note[] = [];
  const describe = (seen: Seen) => ({
    access: accessPhrase(seen.site),
    invocation: invocationText(scope, seen),
    workgroup: tripleText(seen.workgroupId),
    phase: seen.epoch,
    value: valueText(accessValue(seen)),
  });
  const isSame = isSameSpan(first.site.span, second.site.span);
  if (!isSame) notes.push(note("other-access", first.site.span, describe(first)));
  notes.push(note("this-access", second.site.span, describe(second)));
  if (isSame) notes.push(note("this-access", second.site.span, describe(first)));
  const [name, other] = [second, first].map(({ site }) => scope.module.roots[site.root!].name);
  if (name !== other) notes.push(note("one-buffer", second.site.span, { name, other }));
  if (barrier !== null) {
    const memory = barrier.barrier;
    notes.push(note("this-barrier", barrier.span, { barrier: `${barrier.barrier}Barrier`, memory }));
  }
  const own = isAcrossWorkgroups(pair) ? barrierBetween(scope.module, first.site, second.site, "storage") : null;
  if (own !== null) notes.push(note("own-barrier", own, {}));
  notes.push(hint);
  return notes;
}

function isAcrossWorkgroups({ kind }: Pair): boolean {
  return kind === "race-across-workgroups" || kind === "timing-across-workgroups";
}

/** The pairs that one is among, and the updates among them. */
interface Among {
  readonly pairs: readonly Pair[];
  readonly updates: Updates;
}

/** The likely repair where that is no barrier for which a place is looked for; null: it is one. */
function hintWithoutPlace(scope: DispatchScope, pair: Pair, isAcross: boolean, { pairs, updates }: Among): Note | null {
  const { first, second } = pair;
  const { span } = second.site;
  const code = codeOf(pair);
  if (code === "out-of-bounds") return reservationHint(scope, second.site);
  if (code === "wrong-barrier") {
    return otherBarrierHint(pair);
  }
  if (code === "same-value-write") return sameValueHint(scope, second);
  const inOneWord = oneWordHint(scope, pair);
  if (inOneWord !== null) return inOneWord;
  const isTiming = code === "unordered-atomics";
  const isMixed = isAtomic(first.kind) !== isAtomic(second.kind);
  if (!isTiming && isMixed) return note("hint-all-atomic", span, {});
  const atomic = atomicHint(scope, pair, updates);
  const told = atomic ?? flagHint(scope, pair);
  if (told !== null) return told;
  if (!isTiming && isOtherComponent(pair)) return note("hint-own-vector", span, {});
  if (!isTiming && isChased(scope.module, pair))
    return note("hint-chase", span, { name: scope.module.roots[second.site.root!].name });
  // In rounds it may be another place that was looked at before.
  const plainClaim = isTiming || isInRounds(scope, pair) ? null : claimHint(scope, pair);
  if (plainClaim !== null) return plainClaim;
  if (!isTiming && isAcross && isOfRounds(scope, pair, pairs)) return note("hint-round-dispatches", span, {});
  if (!isTiming && isAcross && isOwnWrite(pair)) return note("hint-own-place", span, {});
  const isTaken = isTiming && (isAcross || isTakenBySeveral(pair, pairs));
  const claim = isTaken ? (claimHint(scope, pair) ?? swapHint(scope, pair)) : null;
  if (claim !== null || !isAcross) return claim;
  if (isTiming) return note("hint-timing-dispatch", span, {});
  return note(
    isWrittenFromRead(scope.module, first.site, second.site) ? "hint-other-buffer" : "hint-dispatches",
    span,
    {},
  );
}

/** Where each decides for itself whether it writes, no one of them can do it for all. */
function sameValueHint(scope: DispatchScope, { site: { span, type } }: Seen): Note {
  const isFlag = type.kind === "bool" || isConcreteInteger(type);
  if (!isFlag || !isDivergentAt(scope.step.program, span.start)) return note("hint-own-place", span, {});
  return note("hint-own-flag", span, { type: `atomic<${type.kind === "i32" ? "i32" : "u32"}>` });
}

/** Places that write what several write differently. */
const writtenBySeveral = onceFor(
  (pairs: readonly Pair[]) =>
    new Set(pairs.filter((pair) => isOwnWrite(pair) && !pair.sameValue).map(({ first }) => keyOf(first.site))),
);

function keyOf(site: AccessSite): string {
  return instructionKey(site.function, site.instruction);
}

/** `rounds`: the barriers that were tried to be needed; null: the pair is come to once, or that is not known. */
function barrierHint(scope: DispatchScope, pair: Pair, pairs: readonly Pair[], rounds: Rounds | null): Note {
  const { span } = pair.second.site;
  const barrier = `${memoryOf(pair.first)}Barrier`;
  const isTiming = codeOf(pair) === "unordered-atomics";
  const place = barrierPlaceIn(scope, pair, rounds);
  // Where several write one place of what they have read, whoever reads before all of them changes nothing.
  const writesAgain = [pair.first, pair.second].some(({ site }) => writtenBySeveral(pairs).has(keyOf(site)));
  const isWithin = rounds?.[0] === undefined ? place === "within" : rounds[0].isWithin;
  if (isWithin && !isTiming && writesAgain) return note("hint-own-place", span, {});
  if (rounds !== null && rounds.length > 0) {
    const lines = rounds.filter(({ isWithin }) => !isWithin).map(({ behind }) => lineOf(scope, behind - 1));
    const [line, end] = lines.sort((a, b) => a - b);
    if (lines.length > 1) return note("hint-two-barriers", span, { barrier, line, end });
    if (lines.length === 0) return note("read-then-barrier", span, { barrier });
    if (rounds.length > 1) return note("hint-read-barriers", span, { barrier, line });
    return isTiming ? timingBarrierHint(pair, line) : note("hint-barrier", span, { barrier, line });
  }
  if (!isTiming && isOwnWrite(pair)) return note("hint-own-place", span, {});
  const isInLine = typeof place === "number" && !isLineEnd(scope, place);
  const line = typeof place === "number" && !isInLine ? lineOf(scope, place - 1) : null;
  if (isTiming && !isInLine) {
    return line === null
      ? (claimHint(scope, pair) ?? note("hint-timing-dispatch", span, {}))
      : timingBarrierHint(pair, line);
  }
  if (place === "within") {
    const start = Math.min(pair.first.site.span.start, span.start);
    const isParted = isDivergentAt(scope.step.program, start);
    return note(isParted ? "read-then-barrier-apart" : "read-then-barrier", span, { barrier });
  }
  if (place === "branch") {
    return note(isInLoop(scope, pair) ? "hint-same-rounds" : "hint-part-branch", span, { barrier });
  }
  return line === null
    ? note("hint-barrier-between", span, { barrier })
    : note("hint-barrier", span, { barrier, line });
}

/** Where a barrier of another kind stands it is that which is of no use. */
function timingBarrierHint(pair: Pair, line: number): Note {
  const barrier = `${memoryOf(pair.first)}Barrier`;
  return pair.barrier === null
    ? note("hint-timing-barrier", pair.second.site.span, { barrier, line })
    : otherBarrierHint(pair);
}

function otherBarrierHint({ first, second }: Pair): Note {
  const memory = memoryOf(first);
  return note("hint-other-barrier", second.site.span, { barrier: `${memory}Barrier`, memory });
}

function isInLoop({ module }: DispatchScope, { first, second }: Pair): boolean {
  return (waysTo(module, first.site, second.site)?.loop ?? -1) >= 0;
}

function isInRounds(scope: DispatchScope, pair: Pair): boolean {
  return isInLoop(scope, pair) || isCalledAgain(scope.module, pair.first.site.function);
}

/** A storageBarrier() orders the rounds in each workgroup: what one does is there for the others in the next. */
function isOfRounds({ module }: DispatchScope, pair: Pair, pairs: readonly Pair[]): boolean {
  const { first, second } = pair;
  const isInRound = (waysTo(module, first.site, second.site)?.loop ?? -1) >= 0;
  if (!isInRound || barrierBetween(module, first.site, second.site, "storage") === null) return false;
  if (placesOfOneRound(pairs).has(placesOf(pair))) return false;
  const isMadeOf = ({ first: one, second: other }: Pair) =>
    [one.site, other.site].includes(first.site) && isWrittenFromRead(module, one.site, other.site);
  return !isOwnWrite(pair) || pairs.some(isMadeOf);
}

/** Places that meet in one workgroup as well. */
const placesOfOneRound = onceFor(
  (pairs: readonly Pair[]) => new Set(pairs.filter(({ kind }) => kind === "race").map(placesOf)),
);

function placesOf({ first, second }: Pair): string {
  return `${first.site.id} ${second.site.id}`;
}

/** Two writes of one vector that touch no byte in common by their text: a component is stored with its vector. */
function isOtherComponent({ first, second }: Pair): boolean {
  const [one, other] = [first, second].map(({ site }) => site.vector);
  return writes(first.kind) && writes(second.kind) && one !== null && other !== null && first.offset !== second.offset;
}

/** Two invocations come to one write. */
function isOwnWrite({ first, second }: Pair): boolean {
  return first.kind === "write" && second.kind === "write" && first.site === second.site;
}

/** An offset that a barrier can stand behind; "branch" too where invocations would not come there together. spec: #uniformity */
function barrierPlaceIn(scope: DispatchScope, { first, second }: Pair, rounds: Rounds | null) {
  const place = barrierPlace(scope.module, first.site, second.site, memoryOf(first));
  if (place === null || typeof place === "string") return place;
  if (isDivergent(scope, place)) return "branch";
  // Where it was tried it does not help; where one call may meet another one it may not.
  return rounds === null && !isCalledAgain(scope.module, first.site.function) ? place.behind : null;
}

function isDivergent({ step }: DispatchScope, { flowOf }: BarrierPlace): boolean {
  return isDivergentAt(step.program, flowOf);
}
