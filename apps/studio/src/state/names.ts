/** Names of files as tabs have them: each once, and none that hides what it is. */

/** Letters that show nothing or turn the reading direction: with them one name looks like another. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const LONGEST = 200;
/** What `freeName` may add to the longest. */
const NUMBER = 20;

/** A clean name stays as it is: what is cut off at one end can leave something to clean at the other. */
export function cleanName(name: string): string {
  const letters = [...name.replace(UNSEEN, "").trim()];
  const clean = plainName(letters.slice(letters.length > LONGEST + NUMBER ? -LONGEST : 0).join(""));
  if (clean === "") return "shader.wgsl";
  return clean === name ? clean : cleanName(clean);
}

/** The name by which a launch finds a file: all of them lie beside it, or in folders there. */
export function plainName(name: string): string {
  const parts: string[] = [];
  for (const part of name.split(/[/\\]/)) {
    if (part === ".." && (parts.at(-1) ?? "..") !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** For messages: the first few. */
export function listed(names: readonly string[]): string {
  const [shown, left] = [names.slice(0, 3), names.length - 3];
  return left > 0 ? `${shown.join(", ")} +${left}` : shown.join(", ");
}

/** The name, with a number before its ending where it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem, ending] = /^(.*?[^/])(\.[^/]*)?$/s.exec(name) ?? ["", name, ""];
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${stem}-${number}${ending ?? ""}`;
  return free;
}
