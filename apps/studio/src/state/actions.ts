/** What people do with files and with the window. */
import { batch } from "@preact/signals";
import { t } from "../texts/texts.ts";
import { clearMarks } from "./findings.ts";
import { launchName, launchText, launchToText } from "./launch.ts";
import { stop } from "./running.ts";
import * as store from "./store.ts";

export { tell } from "./store.ts";

// ---------------------------------------------------------------- files

export function openFiles(opened: readonly store.OpenFile[], active = opened[0]?.name ?? ""): void {
  batch(() => {
    const names = new Set(opened.map(({ name }) => name));
    store.files.value = [...store.files.value.filter(({ name }) => !names.has(name)), ...opened];
    store.activeName.value = active;
    store.showsCode.value = true;
    clearMarks();
  });
}

/** In place of everything that was open. */
export function openInstead(opened: readonly store.OpenFile[], active = opened[0]?.name ?? ""): void {
  stop();
  batch(() => {
    store.files.value = [];
    store.dataFiles.value = {};
    store.inspections.value = {};
    store.chosenLaunch.value = "";
    forgetResults();
    openFiles(opened, active);
  });
}

export function forgetResults(): void {
  store.report.value = null;
  store.previous.value = null;
  store.findingsReport.value = null;
  store.profileReport.value = null;
  clearMarks();
}

export function newFile(): void {
  const taken = new Set(store.files.value.map(({ name }) => name));
  let number = 1;
  while (taken.has(number === 1 ? "shader.wgsl" : `shader-${number}.wgsl`)) number++;
  openFiles([{ name: number === 1 ? "shader.wgsl" : `shader-${number}.wgsl`, text: "" }]);
}

/** What runs of it is stopped. */
export function closeFile(name: string): void {
  if (store.running.value?.files.includes(name) === true) stop();
  batch(() => {
    const at = store.files.value.findIndex((file) => file.name === name);
    store.files.value = store.files.value.filter((file) => file.name !== name);
    if (store.activeName.value !== name) return;
    const next = store.files.value[Math.min(at, store.files.value.length - 1)];
    store.activeName.value = next?.name ?? "";
    if (next === undefined) store.panel.value = "start";
  });
}

export function setText(name: string, text: string): void {
  store.files.value = store.files.value.map((file) => (file.name === name ? { name, text } : file));
}

export function activate(name: string): void {
  batch(() => {
    store.activeName.value = name;
    store.showsCode.value = true;
  });
}

const TEXT_FILE = /\.(?:wgsl|json)$/i;

/** Files from the disk: shaders and launches become tabs, all others data for buffers. */
export async function takeFiles(list: Iterable<File>): Promise<readonly string[]> {
  const texts: store.OpenFile[] = [];
  const data: Record<string, Uint8Array> = {};
  for (const file of list) {
    if (TEXT_FILE.test(file.name)) texts.push({ name: file.name, text: await file.text() });
    else data[file.name] = new Uint8Array(await file.arrayBuffer());
  }
  batch(() => {
    store.dataFiles.value = { ...store.dataFiles.value, ...data };
    if (texts.length > 0) openFiles(texts, (texts.find(({ name }) => !store.isLaunchName(name)) ?? texts[0]).name);
    if (texts.length > 0 && store.panel.value === "start") store.panel.value = "launch";
  });
  return [...texts.map(({ name }) => name), ...Object.keys(data)];
}

/** Changes the launch, and makes a file of it where there is none. */
export function editLaunch(change: (launch: Record<string, unknown>) => void): void {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(launchText.value) as Record<string, unknown>;
  } catch {
    store.tell(t.value.launch.broken, "error");
    return;
  }
  change(value);
  const text = launchToText(value);
  if (launchName.value !== "") setText(launchName.value, text);
  else {
    const name = `${store.activeName.value.replace(/\.wgsl$/i, "")}.launch.json`;
    store.files.value = [...store.files.value, { name, text }];
    store.chosenLaunch.value = name;
  }
}

// ---------------------------------------------------------------- the window

export function show(panel: store.PanelName): void {
  batch(() => {
    store.panel.value = panel;
    store.showsCode.value = false;
  });
}
