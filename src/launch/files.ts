/** Contents of buffers in files. The host gives the access; nothing here knows what a disk is. */
import { type MessageValue, phrase, textOfValue } from "../diagnostics/diagnostic.ts";
import type { Layout } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { jsonText } from "../text/json.ts";
import { fitFileArray } from "./file-array.ts";
import { beside, FILE_ENDINGS, fileFormat } from "./file-name.ts";
import { readCsv, writeCsv } from "./format-csv.ts";
import { FormatError } from "./format-error.ts";
import { readNpy, writeNpy } from "./format-npy.ts";
import { readPng } from "./format-png.ts";
import { readSafetensors } from "./format-safetensors.ts";
import { jsonProblem, jsonValue } from "./json-syntax.ts";
import { at, launchError } from "./problem.ts";
import { bufferSize, elementsIn } from "./spec.ts";

export interface FileReader {
  /** The whole file. @throws FileError */
  read(path: string): Promise<Uint8Array>;
}

export interface FileWriter {
  /** @throws FileError */
  write(path: string, bytes: Uint8Array): Promise<void>;
}

/** Why a file cannot be read or written, in words: "there is no such file". */
export class FileError extends Error {
  readonly reason: MessageValue;
  constructor(reason: MessageValue) {
    super(textOfValue(reason));
    this.name = "FileError";
    this.reason = reason;
  }
}

/** Reads a file that a launch names. `base` is the path of the launch file, or empty. */
export async function readFile(files: FileReader | null, base: string, name: string): Promise<Uint8Array> {
  if (files === null) throw launchError([], "file-no-access", { file: name });
  try {
    return await files.read(beside(base, name));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw launchError([], "file-unreadable", { file: name, reason: error.reason });
  }
}

/** The bytes of a buffer of this layout from the file `name`. @throws LaunchError */
export async function readBufferFile(
  files: FileReader | null,
  base: string,
  name: string,
  layout: Layout,
): Promise<Uint8Array> {
  const format = fileFormat(name);
  if (format === null) throw launchError([], "file-kind", { file: name, known: FILE_ENDINGS });
  const [path, tensor] = format === "safetensors" ? splitTensor(name) : [name, ""];
  const bytes = await readFile(files, base, path);
  try {
    switch (format) {
      case "bin":
        return fitFileArray({ bytes, scalar: null, scalarSize: null, shape: [], fortranOrder: false }, layout, name);
      case "npy":
        return fitFileArray(readNpy(bytes), layout, name);
      case "safetensors":
        return fitFileArray(readSafetensors(bytes, tensor, path), layout, path);
      case "csv":
        return readCsv(new TextDecoder().decode(bytes), layout, name);
      case "json":
        return readJson(new TextDecoder().decode(bytes), layout, name);
      case "png":
        return fitFileArray(await readPng(bytes, layout), layout, name);
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw launchError([], "file-damaged", { file: name, format: `.${format}`, problem: error.problem });
  }
}

function splitTensor(name: string): readonly [path: string, tensor: string] {
  const hash = name.search(/\.safetensors#/i) + ".safetensors".length;
  return [name.slice(0, hash), name.slice(hash + 1)];
}

function readJson(text: string, layout: Layout, file: string): Uint8Array {
  const problem = jsonProblem(text);
  if (problem !== null) {
    const line = text.slice(0, problem.offset).split("\n").length;
    const { expected, found } = problem;
    throw new FormatError(phrase("json-line", { line, expected, found }));
  }
  return at([], () => valuesToBytes(jsonValue(text), layout));
}

/** Plain values by layout as the bytes of a buffer. @throws ValueError */
export function valuesToBytes(values: unknown, layout: Layout): Uint8Array {
  const bytes = new Uint8Array(bufferSize(layout, elementsIn(layout, values)));
  new BufferView(bytes, layout).write(values);
  return bytes;
}

/** In which formats buffers are written. */
const WRITTEN = ["bin", "npy", "json", "csv"] as const;

/** The format to write by a file's ending. @throws LaunchError where it is none of ours */
export function writtenFormat(name: string): (typeof WRITTEN)[number] {
  const format = WRITTEN.find((each) => each === fileFormat(name));
  if (format === undefined) throw launchError([], "file-kind", { file: name, known: ".bin, .npy, .json or .csv" });
  return format;
}

/** What `bytes` become in a file with the ending of `name`. @throws LaunchError where there is no such format to write */
export function bufferFile(name: string, bytes: Uint8Array, layout: Layout): Uint8Array {
  switch (writtenFormat(name)) {
    case "bin":
      return bytes;
    case "npy":
      return writeNpy(bytes, layout);
    case "csv":
      return new TextEncoder().encode(writeCsv(bytes, layout));
    case "json":
      return new TextEncoder().encode(jsonText(new BufferView(bytes, layout).read()));
  }
}
