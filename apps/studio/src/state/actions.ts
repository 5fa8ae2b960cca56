/** What people do with files and with the window. */
import { batch } from "@preact/signals";
import { Stopped } from "../engine/client.ts";
import { t } from "../texts/texts.ts";
import { clearMarks } from "./findings.ts";
import { freeName } from "./names.ts";
import * as store from "./store.ts";
import { openedFile, plainText } from "./written.ts";

// ---------------------------------------------------------------- files

export function openFiles(opened: readonly store.OpenFile[], active = opened[0]?.name ?? ""): void {
  batch(() => {
    const names = new Set(opened.map(({ name }) => name));
    store.files.value = [...store.files.value.filter(({ name }) => !names.has(name)), ...opened.map(openedFile)];
    store.activeName.value = active;
    store.showsCode.value = true;
    clearMarks();
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
  openFiles([{ name: freeName("shader.wgsl", store.isTaken), text: "" }]);
}

export function setText(name: string, text: string): void {
  const plain = plainText(text);
  store.files.value = store.files.value.map((file) => (file.name === name ? { ...file, text: plain } : file));
}

export function activate(name: string): void {
  batch(() => {
    store.activeName.value = name;
    store.showsCode.value = true;
  });
}

// ---------------------------------------------------------------- the window

export function show(panel: store.PanelName): void {
  batch(() => {
    store.panel.value = panel;
    store.showsCode.value = false;
  });
}

/** What nobody expected is said, and no reason to lose anything. */
export function tellUnexpected(message: string): void {
  // Browsers say so when a layout takes two rounds.
  if (!message.startsWith("ResizeObserver loop")) tellError(message, t.value.work.unexpected(message));
}

/** @param text what is told of it, unless it means that a part of the studio is missing */
export function tellError(message: string, text = message): void {
  const { partMissing } = t.value.work;
  // Each browser words it in its own way, and so does the engine.
  const isMissing = /module script|imported module|script .*could not be loaded/i.test(message);
  store.tell(isMissing || message === partMissing ? partMissing : text, "error");
}

export function startTelling(): void {
  addEventListener("error", ({ message }) => tellUnexpected(message));
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof Stopped)) tellUnexpected(reason instanceof Error ? reason.message : String(reason));
  });
}
