/** The launch that runs: the text of a launch file, or what stands for one while there is none. */
import { computed } from "@preact/signals";
import type { Launch, Reflection } from "halay";
import { activeName, chosenLaunch, files, inspections, isLaunchName, launchNames, shaderNames } from "./store.ts";

/** Its name; empty while there is no launch file. An open launch file is the one that is meant. */
export const launchName = computed(() => {
  const names = launchNames.value;
  if (isLaunchName(activeName.value)) return activeName.value;
  const fits = names.filter((name) => shadersOf(parse(textOf(name))).includes(activeName.value));
  return [chosenLaunch.value].find((name) => fits.includes(name)) ?? fits[0] ?? "";
});

function textOf(name: string): string {
  return files.value.find((file) => file.name === name)?.text ?? "";
}

function parse(text: string): Launch | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Launch) : null;
  } catch {
    return null;
  }
}

/** Names of the shaders that a launch runs. */
function shadersOf(launch: Launch | null): readonly string[] {
  if (launch === null) return [];
  const names = [launch.shader, ...(launch.steps ?? []).map(({ shader }) => shader)];
  return [...new Set(names.filter((name) => typeof name === "string"))].map(plainName);
}

/** All files lie in one folder here. */
export function plainName(name: string): string {
  return name.replace(/^\.\//, "");
}

/** What a launch says if nothing is said. */
const implied = computed<Launch>(() => {
  const shader = isLaunchName(activeName.value) ? shaderNames.value[0] : activeName.value;
  return shader === undefined ? {} : { shader };
});

/** null: the file is no JSON object. */
export const launch = computed<Launch | null>(() =>
  launchName.value === "" ? implied.value : parse(textOf(launchName.value)),
);

export const launchText = computed(() =>
  launchName.value === "" ? launchToText(implied.value) : textOf(launchName.value),
);

export function launchToText(value: Launch): string {
  // Short lists stay on one line.
  return `${JSON.stringify(value, null, 2).replace(/\[\s+(?:[-\w."]+,?\s+){1,16}\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  )}\n`;
}

/** Shaders of the launch, in order. */
export const launchShaders = computed(() => {
  const names = shadersOf(launch.value).filter((name) => shaderNames.value.includes(name));
  return names.length > 0 ? names : shaderNames.value.slice(0, 1);
});

/** What the shaders of the launch ask of the host; those that are not legal are left out. */
export const reflections = computed<readonly Reflection[]>(() =>
  launchShaders.value.flatMap((name) => inspections.value[name]?.reflection ?? []),
);
