/** What forms write into the launch file. */
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { setText } from "./actions.ts";
import { editedJson } from "./edit-json.ts";
import { launchNameFor, launchTextFor, launchToText, shadersFor, shadersOf } from "./launch.ts";
import { isObject, type JsonObject, objectOf, understood } from "./launch-shape.ts";
import { freeName } from "./names.ts";
import * as store from "./store.ts";

/**
 * Changes the launch that an open file means, the one in front or another one, and makes a file of it where there is none.
 *
 * @returns false: nothing can be written, which is told
 */
export function editLaunch(change: (launch: JsonObject) => void, file: string = store.activeName.value): boolean {
  if (file !== "" && !store.isTaken(file)) {
    store.tell(t.value.work.closed(file), "error");
    return false;
  }
  const given = launchTextFor(file);
  const value = objectOf(given);
  if (value === null) {
    store.tell(later.value.launch.broken, "error");
    return false;
  }
  change(value);
  // What runs has to be said: the form is about the shader that is shown.
  const [shader] = shadersFor(understood(value), file);
  const isMissing = file !== "" && shadersOf(understood(value)).length === 0;
  if (isMissing && shader !== undefined) value.shader = shader;
  const name = launchNameFor(file);
  if (name !== "") setText(name, editedJson(given, objectOf(given), value));
  else {
    const text = launchToText(value);
    const made = freeName(`${file.replace(/\.wgsl$/i, "")}.launch.json`, store.isTaken);
    store.files.value = [...store.files.value, { name: made, text }];
    store.chosenLaunch.value = made;
  }
  return true;
}

/** One step of a launch, or with null the launch itself; what is none becomes one. */
export function stepOf(launch: JsonObject, number: number | null): JsonObject {
  if (number === null) return launch;
  const steps = launch.steps as unknown[];
  if (!isObject(steps[number])) steps[number] = {};
  return steps[number] as JsonObject;
}

/** Sets a member of an object of the launch, as `buffers` or `overrides`; undefined takes it out, and with the last the object. */
export function setMember(launch: JsonObject, field: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = isObject(launch[field]) ? launch[field] : {};
  const members = value === undefined ? others : { ...others, [name]: value };
  if (Object.keys(members).length === 0) delete launch[field];
  else launch[field] = members;
}
