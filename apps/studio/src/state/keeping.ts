/**
 * Keeps what is open, each piece of work in its own place, on this machine. A place belongs to one tab at a time: a tab that
 * finds its place taken, as a duplicated one does, goes on in a new one.
 */
import { effect } from "@preact/signals";
import { t } from "../texts/texts.ts";
import { forgetData, idsOfData, keepData, keptData } from "./kept-data.ts";
import { listed } from "./names.ts";
import { keptWork, openElsewhere, PREFIX } from "./read-work.ts";
import { saveAll } from "./save-all.ts";
import * as store from "./store.ts";
import { isChanged, isEdited, newId, type Snapshot, snapshot } from "./work.ts";
import { keepWork, type NotKept, putAside } from "./write-work.ts";

const PATIENCE = 400;
/** A reload has its lock at once; only another tab holds on to one. */
const LOCK_PATIENCE = 1500;
const SWEEP_AFTER = 10_000;

/** Not yet written. */
let pending: Snapshot | null = null;
let timer = 0;
/** The work whose place is ours; until then nothing is written. */
let claimed = "";
let release: () => void = () => {};
let last: "kept" | NotKept = "kept";
/** What is nowhere but here, by the id of its work. */
export const unkept = new Map<string, Snapshot>();

export function startKeeping(): void {
  let known = "";
  effect(() => {
    const now = snapshot();
    if (now.work.id !== known) {
      flush();
      if (now.files.length === 0) putAside(known);
      known = now.work.id;
      void begin(now.work);
    }
    // The address would open the files as they were.
    if (!now.work.isOwn && isChanged(now)) history.replaceState(null, "", location.pathname);
    pending = now;
    clearTimeout(timer);
    timer = window.setTimeout(flush, PATIENCE);
  });
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", flush);
  addEventListener("storage", ({ key, newValue }) => {
    // Where there are no locks, this is how tabs hear of each other.
    if (claimed !== "" && key === PREFIX + claimed && newValue !== null) moveOn();
  });
  addEventListener("beforeunload", (event) => {
    flush();
    if (unkept.size > 0) event.preventDefault();
  });
  setTimeout(() => void sweep(), SWEEP_AFTER);
}

async function begin(work: store.Work): Promise<void> {
  release();
  claimed = "";
  release = () => {};
  const lock = await claim(work.id);
  if (store.work.value.id !== work.id) {
    lock?.();
    return;
  }
  release = lock ?? release;
  await readData(work);
  if (store.work.value.id !== work.id) return;
  if (lock !== null) claimed = work.id;
  else moveOn();
  flush();
}

/** How it is given back; null: another tab has it. */
function claim(id: string): Promise<(() => void) | null> {
  const nothing = () => {};
  if (navigator.locks === undefined) return Promise.resolve(nothing);
  return new Promise((resolve) => {
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), LOCK_PATIENCE);
    const hold = () => {
      clearTimeout(patience);
      return new Promise<void>((done) => resolve(done));
    };
    navigator.locks.request(PREFIX + id, { signal: giveUp.signal }, hold).catch((error: Error) => {
      // Forbidden, as where storage is: then there are no other tabs to mind.
      resolve(error.name === "AbortError" ? null : nothing);
    });
  });
}

/** The files for buffers of work that was kept; what is open already stays. */
async function readData(work: store.Work): Promise<void> {
  const names = keptWork(work.id)?.data ?? [];
  const missing = names.filter((name) => !store.dataFiles.value.has(name));
  if (missing.length === 0) return;
  const read = await keptData(work.id, missing);
  if (store.work.value.id !== work.id) return;
  const data = new Map([...read, ...store.dataFiles.value]);
  // Reading is no change.
  if (store.dataFiles.value === work.data) store.work.value = { ...work, data };
  store.dataFiles.value = data;
  const lost = missing.filter((name) => !read.has(name));
  if (lost.length > 0) store.tell(t.value.work.dataLost(listed(lost)), "error");
}

/** The same files in a place of their own, where they are worth one as soon as they differ from what is in the other. */
function moveOn(): void {
  const now = snapshot();
  const { work, files, data } = now;
  store.work.value = { ...work, id: newId(), wasChanged: isEdited(now), files, data };
}

function flush(): void {
  if (pending === null || pending.work.id !== claimed) return;
  const now = pending;
  pending = null;
  clearTimeout(timer);
  if (now.files.length === 0) return;
  const changed = isChanged(now);
  // The address has it, as long as nothing was changed.
  if (!changed && !now.work.isOwn) return;
  const time = (isEdited(now) ? null : keptWork(now.work.id)?.changed) ?? Date.now();
  report(now, keepWork(now, changed, time));
  if (!changed) return;
  void keepData(now.work.id, now.data).then((left) => {
    if (left !== null) store.tell(t.value.work.dataNotKept[left.why](listed(left.names)), "error");
  });
}

function report(now: Snapshot, outcome: "kept" | NotKept): void {
  if (outcome === "kept") unkept.delete(now.work.id);
  else unkept.set(now.work.id, now);
  if (outcome !== "kept" && outcome !== last) {
    const save = { label: t.value.commands.saveAll, run: () => saveAll(snapshot()) };
    store.tell(t.value.work.notKept[outcome], "error", save);
  }
  last = outcome;
}

/** Files for buffers whose work is gone. */
async function sweep(): Promise<void> {
  const [ids, open] = await Promise.all([idsOfData(), openElsewhere()]);
  for (const id of ids) if (!open.has(id) && keptWork(id) === null) await forgetData(id);
}
