/**
 * What the forms understand of a launch file. Whatever its text holds, each field that they read has its type or is left
 * out, and names are looked up among those that are there: `constructor` is one of WGSL's identifiers. What is wrong is said
 * by the launch file's own check.
 */
import type { Launch, Step } from "halay";

export type JsonObject = Record<string, unknown>;

/** As deep as a launch file may be; what is deeper could not be written again. */
const DEEPEST = 256;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** null: the text is no JSON object. */
export function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isDeep(value) ? value : null;
  } catch {
    return null;
  }
}

function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < DEEPEST; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Short lists stay on one line; no string holds a line break as such. */
export function jsonText(value: unknown, unit = "  "): string {
  return JSON.stringify(value, null, unit).replace(/\[\n\s+(?:[-\w."]+,?\n\s*){1,16}\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}

export function understood(value: JsonObject): Launch {
  const { steps } = value;
  return {
    ...step(value),
    ...only("call", value, isText),
    ...members("buffers", value, () => true),
    ...members("expect", value, () => true),
    ...members("set", value, () => true),
    ...members("tolerance", value, isNumber),
    ...only("read", value, (paths) => Array.isArray(paths) && paths.every(isText)),
    // One for one: forms name a step by its number.
    ...(Array.isArray(steps) ? { steps: steps.map((each) => step(isObject(each) ? each : {})) } : {}),
  } as Launch;
}

function step(value: JsonObject): Step {
  return {
    ...only("shader", value, isText),
    ...only("entry", value, isText),
    ...only("workgroups", value, isWorkgroups),
    ...only("invocations", value, isNumber),
    ...only("repeat", value, isNumber),
    ...members("bind", value, isText),
    ...only("swap", value, (pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText)),
    ...members("overrides", value, (each) => isNumber(each) || typeof each === "boolean"),
  } as Step;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";

function isWorkgroups(value: unknown): boolean {
  return isNumber(value) || isObject(value) || (Array.isArray(value) && value.every(isNumber));
}

function only(name: string, value: JsonObject, isRight: (field: unknown) => boolean): JsonObject {
  return Object.hasOwn(value, name) && isRight(value[name]) ? { [name]: value[name] } : {};
}

/** Without a prototype: it holds no names but those of the file. */
function members(name: string, value: JsonObject, isRight: (member: unknown) => boolean): JsonObject {
  const given = Object.hasOwn(value, name) ? value[name] : undefined;
  if (!isObject(given)) return {};
  const right = Object.entries(given).filter(([, member]) => isRight(member));
  return { [name]: Object.assign(Object.create(null), Object.fromEntries(right)) };
}
