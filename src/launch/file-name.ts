/** Names of files that hold contents of buffers. Paths are written with `/`. */

export type FileFormat = "bin" | "npy" | "json" | "csv" | "png" | "safetensors";

/** For messages. */
export const FILE_ENDINGS = ".bin, .npy, .json, .csv, .png or .safetensors#name";

/** The format by a file's ending; null where it is none of ours. `model.safetensors#weights` names a tensor in a file. */
export function fileFormat(name: string): FileFormat | null {
  const match = /\.(bin|npy|json|csv|png|safetensors#.+)$/i.exec(name);
  return match === null ? null : (match[1].toLowerCase().replace(/#.*$/s, "") as FileFormat);
}

/** The path of `name` as seen from beside the file `base`: absolute paths and URLs stay as they are. */
export function beside(base: string, name: string): string {
  if (/^(?:[/\\]|[a-zA-Z]:[/\\]|[a-z][a-z0-9+.-]+:)/.test(name)) return name;
  const folder = base.replace(/[^/\\]*$/, "");
  const parts: string[] = [];
  for (const part of `${folder}${name}`.split(/[/\\]/)) {
    const last = parts.at(-1);
    if (part === "..") {
      if (last === undefined || last === "..") parts.push(part);
      else if (last !== "") parts.pop();
    } else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}
