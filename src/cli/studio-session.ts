/** What the studio opens with: a shader, or a launch with its shaders and the files of its buffers. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { beside, fileFormat } from "../launch/file-name.ts";
import { jsonProblem } from "../launch/json-syntax.ts";
import type { Input } from "./inputs.ts";

export interface StudioSession {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** By name as the launch says it, in base64. */
  readonly data: Readonly<Record<string, string>>;
  /** Name of the file that is shown. */
  readonly active: string;
}

/** Of a launch all that lies on the disk; the studio says what is missing when it runs. */
export function studioSession(input: Extract<Input, { readonly text: string }>, cwd: string): StudioSession {
  const name = basename(input.path);
  const own = { name: input.kind === "launch" || /\.wgsl$/i.test(name) ? name : "shader.wgsl", text: input.text };
  if (input.kind === "shader" || jsonProblem(input.text) !== null) return { files: [own], data: {}, active: own.name };
  const folder = dirname(resolve(cwd, input.path));
  const names = [...new Set(namesIn(JSON.parse(input.text)))];
  const found = names.flatMap((each) => {
    const bytes = bytesOf(resolve(folder, each.replace(/#.*$/, "")));
    return bytes === null ? [] : [{ name: beside("", each.replace(/#.*$/, "")), bytes }];
  });
  const shaders = found.filter(({ name }) => /\.wgsl$/i.test(name));
  const others = found.filter(({ name }) => !/\.wgsl$/i.test(name));
  const files = [...shaders.map(({ name, bytes }) => ({ name, text: bytes.toString("utf8") })), own];
  return {
    files,
    data: Object.fromEntries(others.map(({ name, bytes }) => [name, bytes.toString("base64")])),
    active: files[0].name,
  };
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
