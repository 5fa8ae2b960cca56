/** The launch that runs: the text of a launch file, or what stands for one while there is none. */
import { computed } from "@preact/signals";
import type { Launch, Reflection } from "halay";
import { jsonText, objectOf, understood } from "./launch-shape.ts";
import { plainName } from "./names.ts";
import {
  activeName,
  chosenLaunch,
  files,
  inspections,
  isLaunchName,
  launchNames,
  type OpenFile,
  shaderNames,
} from "./store.ts";

/** Its name; empty while there is no launch file. An open launch file is the one that is meant. */
export const launchName = computed(() => launchNameFor(activeName.value));

/** The same for an open file that need not be the one in front. */
export function launchNameFor(file: string): string {
  const names = launchNames.value;
  if (isLaunchName(file)) return file;
  const naming = names.filter((name) => shadersOf(launchIn(name)).includes(file));
  // One that is being written, or broke, must not be passed over in silence.
  const fits = naming.length > 0 ? naming : names.filter(isUnclear);
  return fits.includes(chosenLaunch.value) ? chosenLaunch.value : (fits[0] ?? "");
}

/** It does not say what it runs. */
function isUnclear(name: string): boolean {
  return /\.launch\.json$/i.test(name) && shadersOf(launchIn(name)).length === 0;
}

function fileOf(name: string): OpenFile | undefined {
  return files.value.find((file) => file.name === name);
}

const known = new WeakMap<OpenFile, Launch | null>();

/** null: the file is no JSON object. */
function launchIn(name: string): Launch | null {
  const file = fileOf(name);
  if (file === undefined) return null;
  if (!known.has(file)) {
    const value = objectOf(file.text);
    known.set(file, value === null ? null : understood(value));
  }
  return known.get(file)!;
}

/** Names of the shaders that a launch runs. */
export function shadersOf(launch: Launch | null): readonly string[] {
  if (launch === null) return [];
  const names = [launch.shader, ...(launch.steps ?? []).map(({ shader }) => shader)];
  return [...new Set(names.filter((name) => typeof name === "string"))].map(plainName);
}

/** What a launch says if nothing is said. */
const implied = computed<Launch>(() => impliedFor(activeName.value));

function impliedFor(file: string): Launch {
  const shader = isLaunchName(file) ? shaderNames.value[0] : file;
  return shader === undefined ? {} : { shader };
}

/** What is understood of it; null: the file is no JSON object. */
export const launch = computed<Launch | null>(() =>
  launchName.value === "" ? implied.value : launchIn(launchName.value),
);

export const launchText = computed(() => launchTextFor(activeName.value));

export function launchTextFor(file: string): string {
  const name = launchNameFor(file);
  return name === "" ? launchToText(impliedFor(file)) : (fileOf(name)?.text ?? "");
}

export function launchToText(value: object): string {
  return `${jsonText(value)}\n`;
}

/** Shaders of the launch, in order. */
export const launchShaders = computed(() => shadersFor(launch.value, activeName.value));

/** Shaders of the launch that a file means. */
export function shadersFor(launch: Launch | null, file: string): readonly string[] {
  const names = shadersOf(launch).filter((name) => shaderNames.value.includes(name));
  if (names.length > 0) return names;
  return shaderNames.value.includes(file) ? [file] : shaderNames.value.slice(0, 1);
}

/** What the shaders of the launch ask of the host; those that are not legal are left out. */
export const reflections = computed<readonly Reflection[]>(() =>
  launchShaders.value.flatMap((name) => inspections.value.get(name)?.reflection ?? []),
);
