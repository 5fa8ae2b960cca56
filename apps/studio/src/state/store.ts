/** All that the studio shows, in signals. */
import { computed, signal } from "@preact/signals";
import type { Check, JsonDiagnostic } from "halay";
import type { DeviceChoice, ExecuteInput, Inspection, Progress, Report, Task } from "../engine/protocol.ts";

export interface OpenFile {
  readonly name: string;
  readonly text: string;
  /** The text as it came, where the editor holds it otherwise. */
  readonly given?: string;
}

/** The files that are open together. Each piece of work is kept for itself: nothing that is opened takes the place of it. */
export interface Work {
  readonly id: string;
  /** No link and no command line said what is open: the next visit begins with it. */
  readonly isOwn: boolean;
  /** Somebody changed it before it was opened here. */
  readonly wasChanged: boolean;
  /** What was opened, to know what has been changed since. */
  readonly files: readonly OpenFile[];
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** How many have been opened before it, in this visit. */
  readonly number: number;
}

export type PanelName = "start" | "contract" | "launch" | "result" | "findings" | "contention";

export interface Running {
  readonly task: Task;
  readonly device: DeviceChoice;
  /** Names of the shaders and of the launch file; empty where there is none. */
  readonly files: readonly string[];
  readonly since: number;
  readonly progress: Progress | null;
}

export type Texts = ReadonlyMap<string, string>;

/** What came of a run, with the texts that ran. */
export interface Ran extends Report {
  /** The file whose launch ran: the launch, or a shader where there was none. */
  readonly file: string;
  readonly texts: Texts;
}

export interface Notice {
  readonly text: string;
  readonly kind: "info" | "error";
  /** What can be done about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** A place in a file, from 0, half-open. */
export interface Place {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** The two accesses of a finding, as the editor marks them: first and second. */
export interface Marked {
  readonly found: Pick<JsonDiagnostic, "path" | "start" | "end">;
  /** Of the files, in which it was found. */
  readonly texts: Texts;
  readonly role: "first" | "second";
  readonly label: string;
}

/** Texts, in the order of their tabs. */
export const files = signal<readonly OpenFile[]>([]);
/** Files for buffers, by name. */
export const dataFiles = signal<ReadonlyMap<string, Uint8Array>>(new Map());
/** Its id is empty until the session has been opened. */
export const work = signal<Work>({
  id: "",
  isOwn: true,
  wasChanged: false,
  files: [],
  data: dataFiles.peek(),
  number: 0,
});
export const activeName = signal("");
/** Which launch file says how to run; empty: the first one, or none. */
export const chosenLaunch = signal("");
export const inspections = signal<ReadonlyMap<string, Inspection>>(new Map());

export const panel = signal<PanelName>("start");
/** On a narrow screen one thing is seen at a time: the code or the panel. */
export const showsCode = signal(true);
export const problemsOpen = signal(true);
export const dialog = signal<"commands" | "shortcuts" | "examples" | "share" | "rename" | null>(null);
/** What is told once, at the bottom of the window. */
export const notice = signal<Notice | null>(null);

export function tell(text: string, kind: Notice["kind"] = "info", action?: Notice["action"]): void {
  notice.value = { text, kind, ...(action === undefined ? {} : { action }) };
}

export const running = signal<Running | null>(null);
export const report = signal<Ran | null>(null);
/** The run before, for what changed since. */
export const previous = signal<Ran | null>(null);
export const findingsReport = signal<Ran | null>(null);
export const profileReport = signal<Ran | null>(null);
export const selectedFinding = signal<number | null>(null);
export const marked = signal<readonly Marked[]>([]);

export const device = signal<DeviceChoice>("cpu");
export const hasGpu = signal<boolean | null>(null);
export const subgroupSize = signal<number | null>(null);
export const schedule = signal<ExecuteInput["schedule"]>("in-order");
export const seed = signal(1);
export const checks = signal<readonly Check[] | null>(null);
export const showsMemory = signal(true);
export const showsNonUniform = signal(false);

export const isLaunchName = (name: string): boolean => /\.json$/i.test(name);

export const isTaken = (name: string): boolean => files.value.some((file) => file.name === name);

export const activeFile = computed(() => files.value.find(({ name }) => name === activeName.value) ?? null);
export const shaderNames = computed(() => files.value.map(({ name }) => name).filter((name) => !isLaunchName(name)));
export const launchNames = computed(() => files.value.map(({ name }) => name).filter(isLaunchName));
export const inspection = computed(() => inspections.value.get(activeName.value) ?? null);
