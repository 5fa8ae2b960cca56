/** What the studio opens with: a shader, or a launch with its shaders and the files of its buffers. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { beside, fileFormat } from "../launch/file-name.ts";
import { jsonProblem, jsonValue } from "../launch/json-syntax.ts";
import type { Input } from "./inputs.ts";

export interface StudioSession {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** By name as the launch says it, in base64. */
  readonly data: Readonly<Record<string, string>>;
  /** Names of data for which there was no room. */
  readonly leftOut: readonly string[];
  /** Name of the file that is shown. */
  readonly active: string;
}

/** Of all data of a session, in bytes: as base64 it is one text, and those have an end. */
const MOST_DATA = 256 * 2 ** 20;

/** Of a launch all that lies on the disk; the studio says what is missing when it runs. */
export function studioSession(input: Extract<Input, { readonly text: string }>, cwd: string): StudioSession {
  const name = basename(input.path);
  const own = { name: input.kind === "launch" || /\.wgsl$/i.test(name) ? name : "shader.wgsl", text: input.text };
  if (input.kind === "shader" || jsonProblem(input.text) !== null) {
    return { files: [own], data: {}, leftOut: [], active: own.name };
  }
  const folder = dirname(resolve(cwd, input.path));
  const names = new Set(namesIn(jsonValue(input.text)).map((each) => each.replace(/(\.safetensors)#.*$/is, "$1")));
  const isShader = (each: string) => /\.wgsl$/i.test(each);
  const shaders = [...names].filter(isShader).flatMap((each) => {
    const bytes = bytesOf(resolve(folder, each));
    return bytes === null ? [] : [{ name: beside("", each), text: bytes.toString("utf8") }];
  });
  const files = [...shaders, own];
  const others = [...names].filter((each) => !isShader(each));
  return { files, ...dataOf(others, folder), active: files[0].name };
}

/** As many as there is room for. */
function dataOf(names: readonly string[], folder: string): Pick<StudioSession, "data" | "leftOut"> {
  const data: Record<string, string> = {};
  const leftOut: string[] = [];
  let room = MOST_DATA;
  for (const name of names) {
    const path = resolve(folder, name);
    const size = sizeOf(path);
    const bytes = size > room ? null : bytesOf(path);
    if (size > room) leftOut.push(name);
    if (bytes === null) continue;
    room -= bytes.length;
    data[beside("", name)] = bytes.toString("base64");
  }
  return { data, leftOut };
}

/** In bytes; 0: it is not there, or no path at all. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Texts of a launch that name a shader or a file of values. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return /\.wgsl$/i.test(value) || fileFormat(value) !== null ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
