/** What people do: open, edit, run, stop, look. */
import { batch } from "@preact/signals";
import type { JsonFinding } from "halay";
import { engine, Stopped } from "../engine/client.ts";
import type { Report, Task } from "../engine/protocol.ts";
import { t } from "../texts/texts.ts";
import { launchName, launchText, launchToText } from "./launch.ts";
import { languageName } from "./settings.ts";
import * as store from "./store.ts";

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

export function closeFile(name: string): void {
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
    tell(t.value.launch.broken, "error");
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

// ---------------------------------------------------------------- running

const PANEL_OF: Readonly<Record<Task, store.PanelName>> = {
  run: "result",
  sanitize: "findings",
  profile: "contention",
};

export async function execute(task: Task): Promise<void> {
  if (store.running.value !== null || store.files.value.length === 0) return;
  batch(() => {
    store.running.value = { task, since: performance.now(), progress: null };
    store.panel.value = PANEL_OF[task];
    store.showsCode.value = false;
    clearMarks();
  });
  try {
    const result = await engine.call("execute", executeInput(task), (progress) => {
      if (store.running.value !== null) store.running.value = { ...store.running.value, progress };
    });
    batch(() => takeReport(result));
  } catch (error) {
    tellFailure(error);
  } finally {
    store.running.value = null;
  }
}

function executeInput(task: Task) {
  return {
    task,
    launchPath: launchName.value === "" ? "" : launchName.value,
    launchText: launchText.value,
    files: {
      texts: Object.fromEntries(store.files.value.map(({ name, text }) => [name, text])),
      data: store.dataFiles.value,
    },
    device: store.device.value,
    subgroupSize: store.subgroupSize.value,
    schedule: store.schedule.value,
    seed: store.seed.value,
    checks: store.checks.value,
    language: languageName.value,
  };
}

function takeReport(result: Report): void {
  if (result.task === "profile") store.profileReport.value = result;
  if (result.task === "sanitize") {
    store.findingsReport.value = result;
    if (result.findings !== null && result.findings.length > 0) selectFinding(0);
  }
  if (result.task !== "profile") {
    store.previous.value = store.report.value;
    store.report.value = result;
  }
}

function tellFailure(error: unknown): void {
  if (error instanceof Stopped) tell(t.value.run.stopped);
  else if (error instanceof Error && error.message === "no-gpu") tell(t.value.run.noGpu, "error");
  else tell(error instanceof Error ? error.message : String(error), "error");
}

export function stop(): void {
  if (store.running.value !== null) engine.stop();
}

/** Loads what runs shaders, so that the first run need not wait for it. */
export async function warmUp(): Promise<void> {
  try {
    store.hasGpu.value = (await engine.call("warmUp", null)).gpu;
  } catch {
    store.hasGpu.value = false;
  }
}

// ---------------------------------------------------------------- findings

export function selectFinding(index: number | null): void {
  const finding = index === null ? undefined : store.findingsReport.value?.findings?.[index];
  batch(() => {
    store.selectedFinding.value = finding === undefined ? null : index;
    store.marked.value = finding === undefined ? [] : marksOf(finding);
    const first = store.marked.value[0];
    if (first !== undefined && store.files.value.some(({ name }) => name === first.file)) {
      store.activeName.value = first.file;
    }
  });
}

function marksOf(finding: JsonFinding): readonly store.Marked[] {
  const accesses = finding.accesses.slice(0, 2);
  if (accesses.length === 0) {
    const { path, start, end } = finding;
    return [{ file: path, from: start.offset, to: end.offset, role: "first", label: "" }];
  }
  return accesses.map(({ path, start, end }, i) => ({
    file: path,
    from: start.offset,
    to: end.offset,
    role: i === 0 ? "first" : "second",
    label: i === 0 ? "A" : "B",
  }));
}

export function clearMarks(): void {
  store.selectedFinding.value = null;
  store.marked.value = [];
}

/** Writes above the line of a finding that it is known, and why. */
export function suppress(finding: JsonFinding, reason: string): void {
  const file = store.files.value.find(({ name }) => name === finding.path);
  if (file === undefined || reason.trim() === "") return;
  const lines = file.text.split("\n");
  const at = finding.start.line - 1;
  const indent = /^\s*/.exec(lines[at] ?? "")![0];
  lines.splice(at, 0, `${indent}// halay-allow-next-line ${finding.code} -- ${reason.trim()}`);
  setText(file.name, lines.join("\n"));
}

// ---------------------------------------------------------------- the window

export function tell(text: string, kind: "info" | "error" = "info"): void {
  store.notice.value = { text, kind };
}

export function show(panel: store.PanelName): void {
  batch(() => {
    store.panel.value = panel;
    store.showsCode.value = false;
  });
}
