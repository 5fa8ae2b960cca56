/**
 * Changes a JSON text where its value changes, and nowhere else: how people write a launch file is theirs, and numbers with
 * more digits than JavaScript has stay what they are.
 */
import { isObject, type JsonObject, jsonText } from "./launch-shape.ts";

/** A value of the text: where it stands, and what it holds. Offsets are half-open. */
interface Node {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

/** A member of an object, or an element of an array, which has no key. */
interface Part {
  readonly key: string | null;
  /** After the bracket or comma before it. */
  readonly from: number;
  /** Of its key, or of its value where it has none. */
  readonly start: number;
  readonly value: Node;
  /** Before the comma after it; after the last one, white space belongs to the bracket. */
  readonly to: number;
}

/**
 * @param text valid JSON
 * @param before what it says
 * @param after what it has to say
 */
export function editedJson(text: string, before: unknown, after: unknown): string {
  const root = nodesOf(text);
  const unit = /\n([ \t]+)$/.exec(leadOf(text, root.parts[0]))?.[1] ?? "  ";
  return text.slice(0, root.start) + rewritten(root, before, after, "\n") + text.slice(root.end);

  /** `lead`: the white space before it, which says how deep it is indented. */
  function rewritten(node: Node, old: unknown, now: unknown, lead: string): string {
    const given = text.slice(node.start, node.end);
    if (isSame(old, now)) return given;
    const isFilled = node.parts.length > 0;
    if (isFilled && isObject(old) && isObject(now)) return membersRewritten(node, old, now, lead);
    if (isFilled && Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
      return joined(
        node,
        node.parts.map((part, i) => partRewritten(part, old[i], now[i])),
      );
    }
    return printed(now, lead);
  }

  function membersRewritten(node: Node, old: JsonObject, now: JsonObject, lead: string): string {
    const kept = node.parts.filter(({ key }) => Object.hasOwn(now, key!));
    const added = Object.keys(now).filter((key) => !Object.hasOwn(old, key));
    const [first, last] = [node.parts[0], node.parts.at(-1)!];
    const usual = leadOf(text, last);
    const between = usual === "" && node.parts.length === 1 ? " " : usual;
    const members = [
      ...kept.map((part) => partRewritten(part, old[part.key!], now[part.key!])),
      ...added.map((key) => `${between}${JSON.stringify(key)}: ${printed(now[key], between)}`),
    ];
    // The first one begins as the first one did.
    if (kept[0] !== first && members.length > 0) members[0] = leadOf(text, first) + members[0].trimStart();
    return members.length === 0 ? printed(now, lead) : joined(node, members);
  }

  function partRewritten(part: Part, old: unknown, now: unknown): string {
    const { from, value, to } = part;
    return text.slice(from, value.start) + rewritten(value, old, now, leadOf(text, part)) + text.slice(value.end, to);
  }

  function joined(node: Node, members: readonly string[]): string {
    const tail = text.slice(node.parts.at(-1)!.value.end, node.end);
    return text[node.start] + members.join(",").trimEnd() + tail;
  }

  /** On one line where what stands around it is. */
  function printed(value: unknown, lead: string): string {
    const at = lead.lastIndexOf("\n");
    return at < 0 ? JSON.stringify(value) : jsonText(value, unit).replace(/\n/g, `\n${lead.slice(at + 1)}`);
  }
}

function leadOf(text: string, part: Part | undefined): string {
  return part === undefined ? "" : text.slice(part.from, part.start);
}

const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/y;

function nodesOf(text: string): Node {
  let at = 0;
  return valueAt();

  function token(): { readonly text: string; readonly start: number; readonly end: number } {
    TOKEN.lastIndex = at;
    const [whole, found] = TOKEN.exec(text)!;
    at += whole.length;
    return { text: found, start: at - found.length, end: at };
  }

  function valueAt(): Node {
    const first = token();
    const isList = first.text === "[";
    if (!isList && first.text !== "{") return { start: first.start, end: first.end, parts: [] };
    const parts: Part[] = [];
    for (let from = at; ; from = at) {
      const ahead = token();
      if (ahead.text === "}" || ahead.text === "]") return { start: first.start, end: at, parts };
      at = ahead.start;
      const key = isList ? null : (JSON.parse(token().text) as string);
      if (key !== null) token();
      const value = valueAt();
      const after = token();
      const isLast = after.text !== ",";
      parts.push({ key, from, start: ahead.start, value, to: isLast ? value.end : after.start });
      if (isLast) return { start: first.start, end: at, parts };
    }
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => isSame(each, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
