/** Running and stopping, and what comes of it. */
import { batch } from "@preact/signals";
import { engine, Stopped } from "../engine/client.ts";
import type { ExecuteInput, Task } from "../engine/protocol.ts";
import { t } from "../texts/texts.ts";
import { tellError } from "./actions.ts";
import { clearMarks, selectFinding } from "./findings.ts";
import { launchName, launchShaders, launchText } from "./launch.ts";
import { languageName } from "./settings.ts";
import * as store from "./store.ts";

const PANEL_OF: Readonly<Record<Task, store.PanelName>> = {
  run: "result",
  sanitize: "findings",
  profile: "contention",
};

/** @param gpuAnyway although the CPU engine came to no end */
export async function execute(task: Task, gpuAnyway = false): Promise<void> {
  if (store.running.value !== null || store.files.value.length === 0) return;
  const input = executeInput(task, gpuAnyway);
  const started: store.Running = {
    task,
    device: task === "run" ? input.device : "cpu",
    files: [...launchShaders.value, launchName.value],
    since: performance.now(),
    progress: null,
  };
  const file = launchName.value || store.activeName.value;
  const { id } = store.work.value;
  batch(() => {
    store.running.value = started;
    store.panel.value = PANEL_OF[task];
    store.showsCode.value = false;
    clearMarks();
  });
  try {
    const result = await engine.call("execute", input, (progress) => {
      if (store.running.value !== null) store.running.value = { ...store.running.value, progress };
    });
    batch(() => takeReport({ ...result, texts: input.files.texts, file }));
  } catch (error) {
    // Where other files have been opened meanwhile, nobody asks for it.
    if (store.work.value.id === id) tellFailure(error);
  } finally {
    store.running.value = null;
  }
}

function executeInput(task: Task, gpuAnyway: boolean): ExecuteInput {
  return {
    task,
    launchPath: launchName.value,
    launchText: launchText.value,
    files: {
      texts: new Map(store.files.value.map(({ name, text }) => [name, text])),
      data: store.dataFiles.value,
    },
    device: store.device.value,
    gpuAnyway,
    subgroupSize: store.subgroupSize.value,
    schedule: store.schedule.value,
    seed: store.seed.value,
    checks: store.checks.value,
    language: languageName.value,
  };
}

function takeReport(result: store.Ran): void {
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
  if (error instanceof Stopped) store.tell(t.value.run.stopped);
  else if (error instanceof Error && error.message === "no-gpu") store.tell(t.value.run.noGpu, "error");
  else tellError(error instanceof Error ? error.message : String(error));
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
