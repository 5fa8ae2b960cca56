/** Files from the disk. Shaders and launches become tabs; what is chosen for a buffer, and all that is no text, is data. */
import { batch } from "@preact/signals";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { openFiles } from "./actions.ts";
import { objectOf } from "./launch-shape.ts";
import { cleanName, freeName, listed } from "./names.ts";
import * as store from "./store.ts";
import { writtenText } from "./written.ts";

/** Longer texts would make the editor wait, in bytes. */
const LONGEST_TEXT = 4 * 2 ** 20;
const DATA = /\.(?:bin|npy|csv|png|safetensors)$/i;
const LAUNCH_FIELDS = ["shader", "steps", "entry", "workgroups", "invocations", "call", "buffers", "$schema"];

type Taken = { readonly text: string } | { readonly bytes: Uint8Array } | { readonly problem: string };

/** Dropped anywhere, or opened. */
export async function takeFiles(list: readonly File[]): Promise<void> {
  const taken = await Promise.all(
    list.map(async (file) => {
      const name = cleanName(file.name);
      return { name, ...(await taking(name, file)) };
    }),
  );
  const texts = taken.filter((each) => "text" in each);
  const data = taken.filter((each) => "bytes" in each);
  const before = store.files.value;
  const replaced = texts.filter(differs).map(({ name }) => name);
  let names: readonly string[] = [];
  batch(() => {
    names = data.map(({ name, bytes }) => addData(name, bytes, name));
    if (texts.length === 0) return;
    openFiles(texts, (texts.find(({ name }) => !store.isLaunchName(name)) ?? texts[0]).name);
    if (store.panel.value === "start") store.panel.value = "launch";
  });
  const problems = taken.flatMap((each) => ("problem" in each ? [each.problem] : []));
  tellTaken(problems, names, replaced, before);
}

async function taking(name: string, file: File): Promise<Taken> {
  const texts = later.value.take;
  const isJson = store.isLaunchName(name);
  const bytes = await bytesOf(file);
  if (bytes === null) return { problem: texts.unreadable(name) };
  if (DATA.test(name)) return { bytes };
  if (bytes.length > LONGEST_TEXT) return isJson ? { bytes } : { problem: texts.tooLong(name) };
  const text = textOf(bytes);
  if (text === null) return { problem: texts.noText(name) };
  return isJson && !isLaunch(name, text) ? { bytes } : { text };
}

function tellTaken(
  problems: readonly string[],
  data: readonly string[],
  replaced: readonly string[],
  before: readonly store.OpenFile[],
): void {
  const texts = later.value.take;
  const said = problems.slice(0, 3);
  if (data.length > 0) said.push(texts.data(listed(data)));
  if (replaced.length > 0) said.push(texts.replaced(listed(replaced)));
  if (said.length === 0) return;
  const { id } = store.work.value;
  const old = new Map(before.map((file) => [file.name, file]));
  const run = () => {
    if (store.work.value.id !== id) return;
    store.files.value = store.files.value.map((file) =>
      replaced.includes(file.name) ? (old.get(file.name) ?? file) : file,
    );
  };
  store.tell(
    said.join(" "),
    problems.length > 0 ? "error" : "info",
    replaced.length > 0 ? { label: t.value.work.undo, run } : undefined,
  );
}

/**
 * Chosen for a buffer: data, whatever it is called.
 *
 * @returns the name that the launch calls it by; null: it cannot be read, or other files have been opened meanwhile
 */
export async function takeData(file: File, instead: string): Promise<string | null> {
  const name = cleanName(file.name);
  const { number } = store.work.value;
  const bytes = await bytesOf(file);
  if (store.work.value.number !== number) return null;
  if (bytes !== null) return addData(name, bytes, instead);
  store.tell(later.value.take.unreadable(name), "error");
  return null;
}

/** Of a `.safetensors` file, the tensor of that name, else the first; null: there is none. */
export function tensorIn(bytes: Uint8Array, wanted: string): string | null {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const names = Object.keys(Object(header)).filter((name) => name !== "__metadata__");
    return names.includes(wanted) ? wanted : (names[0] ?? null);
  } catch {
    return null; // The launch says what is wrong with it.
  }
}

/** `instead`: what may be replaced. Another file of that name stays, and the new one gets a number. */
function addData(name: string, bytes: Uint8Array, instead: string): string {
  const isOther = (each: string) => {
    const known = store.dataFiles.value.get(each);
    return store.isTaken(each) || (known !== undefined && each !== instead && !isSame(known, bytes));
  };
  const free = freeName(name, isOther);
  store.dataFiles.value = new Map(store.dataFiles.value).set(free, bytes);
  return free;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

async function bytesOf(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return null; // A folder, or gone since.
  }
}

/** null: no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Values for a buffer are JSON too. What is broken can be mended as a tab only. */
function isLaunch(name: string, text: string): boolean {
  if (/\.launch\.json$/i.test(name)) return true;
  const value = objectOf(text.replace(/^\ufeff/, ""));
  return value === null ? isBroken(text) : LAUNCH_FIELDS.some((field) => Object.hasOwn(value, field));
}

function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function differs({ name, text }: store.OpenFile): boolean {
  const old = store.files.value.find((file) => file.name === name);
  return old !== undefined && old.text.trim() !== "" && writtenText(old) !== text;
}
