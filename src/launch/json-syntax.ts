/** Where a text stops being JSON, and what would go on. Engines word this differently and some give no place. */
import "../diagnostics/catalogue-beyond.ts";
import { type MessageValue, phrase } from "../diagnostics/diagnostic.ts";

export interface JsonProblem {
  /** UTF-16 offset. */
  readonly offset: number;
  readonly end: number;
  readonly expected: MessageValue;
  readonly found: MessageValue;
}

type State = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "done";

const EXPECTED: Readonly<Record<State, MessageValue>> = {
  value: phrase("json-value"),
  "value-or-end": phrase("json-value-or-end"),
  key: phrase("json-key"),
  "key-or-end": phrase("json-key-or-end"),
  colon: "‘:’",
  "comma-or-end": phrase("json-comma-or-brace"),
  done: phrase("json-nothing"),
};

/** All but strings: of them the first quote. */
const TOKEN = /([{}[\]:,])|(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const BLANK = /[ \t\r\n]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

interface Token {
  readonly kind: "mark" | "string" | "number" | "word";
  readonly start: number;
  readonly end: number;
}

/** No value of WGSL is nested as deep, and what is shown or saved is walked by recursion. */
const DEEPEST = 256;

/** The first fault of a JSON text; null if there is none. */
export function jsonProblem(text: string): JsonProblem | null {
  const open: string[] = [];
  let state: State = "value";
  let at: number = afterMark(text);
  for (;;) {
    const start = endOf(BLANK, text, at);
    const token = tokenAt(text, start);
    if (token === null && start === text.length && state === "done") return null;
    const next: State | null = token === null ? null : step(state, token, text[start], open);
    if (token === null || next === null) return problem(text, start, expectedIn(state, open));
    if (token.kind === "number" && !Number.isFinite(Number(text.slice(start, token.end))))
      return problem(text, start, phrase("json-finite"));
    if (open.length > DEEPEST) return problem(text, start, phrase("json-depth", { limit: DEEPEST }));
    state = next;
    at = token.end;
  }
}

/** What a text says in which `jsonProblem` finds no fault. */
export function jsonValue(text: string): unknown {
  return JSON.parse(text.slice(afterMark(text)));
}

/** Behind a byte order mark. */
export function afterMark(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

/** The token that begins at `start`; null where none does. */
function tokenAt(text: string, start: number): Token | null {
  TOKEN.lastIndex = start;
  const match = TOKEN.exec(text);
  if (match === null) return null;
  const [, mark, quote, number] = match;
  const end = quote === undefined ? TOKEN.lastIndex : stringEnd(text, start);
  if (end === null) return null;
  return { kind: mark ? "mark" : quote ? "string" : number ? "number" : "word", start, end };
}

/** Piece by piece: one expression for all would run out of stack in a long string. */
function stringEnd(text: string, start: number): number | null {
  let at = endOf(PLAIN, text, start + 1);
  while (text[at] === "\\") {
    const end = endOf(ESCAPE, text, at);
    if (end === at) return null;
    at = endOf(PLAIN, text, end);
  }
  return text[at] === '"' ? at + 1 : null;
}

/** Where a match at `at` ends; `at` where there is none. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

export interface RepeatedKey {
  readonly name: string;
  /** UTF-16 offsets of the later one, quotes included. */
  readonly start: number;
  readonly end: number;
}

/** Names that an object of a valid JSON text has twice, of which a reader would keep the last. */
export function repeatedKeys(text: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  const next = (at: number) => tokenAt(text, endOf(BLANK, text, at));
  for (let token = next(afterMark(text)); token !== null; token = next(token.end)) {
    const { kind, start, end } = token;
    const mark = kind === "mark" ? text[start] : null;
    if (mark === "{" || mark === "[") open.push(mark === "{" ? new Set() : null);
    else if (mark === "}" || mark === "]") open.pop();
    const names = open.at(-1) ?? null;
    if (isKey && kind === "string" && names !== null) {
      const name: string = JSON.parse(text.slice(start, end));
      if (names.has(name)) found.push({ name, start, end });
      names.add(name);
    }
    isKey = names !== null && (mark === "{" || mark === ",");
  }
  return found;
}

/** The state after a token; null where it may not stand. Opens and closes brackets. */
function step(state: State, { kind }: Token, first: string, open: string[]): State | null {
  const mark = kind === "mark" ? first : null;
  const after = (): State => (open.length === 0 ? "done" : "comma-or-end");
  switch (state) {
    case "value":
    case "value-or-end":
      if (mark === "{" || mark === "[") {
        open.push(mark);
        return mark === "{" ? "key-or-end" : "value-or-end";
      }
      if (mark === "]" && state === "value-or-end") {
        open.pop();
        return after();
      }
      return mark === null ? after() : null;
    case "key":
    case "key-or-end":
      if (kind === "string") return "colon";
      if (mark !== "}" || state === "key") return null;
      open.pop();
      return after();
    case "colon":
      return mark === ":" ? "value" : null;
    case "comma-or-end": {
      const inObject = open.at(-1) === "{";
      if (mark === ",") return inObject ? "key" : "value";
      if (mark !== (inObject ? "}" : "]")) return null;
      open.pop();
      return after();
    }
    case "done":
      return null;
  }
}

function expectedIn(state: State, open: readonly string[]): MessageValue {
  return state === "comma-or-end" && open.at(-1) === "[" ? phrase("json-comma-or-bracket") : EXPECTED[state];
}

function problem(text: string, offset: number, expected: MessageValue): JsonProblem {
  if (offset >= text.length) return { offset, end: offset, expected, found: phrase("end-of-text") };
  const rest = text.slice(offset, offset + 40);
  if (rest.startsWith("//") || rest.startsWith("/*"))
    return { offset, end: offset + 2, expected, found: phrase("json-comment") };
  if (rest.startsWith('"') && !/^"(?:[^"\\\u0000-\u001f]|\\.)*"/.test(text.slice(offset, offset + 10_000))) {
    return { offset, end: offset + 1, expected, found: phrase("json-open-string") };
  }
  const word = /^(?:"[^"]*"|[\w.+-]+|[\s\S])/u.exec(rest)?.[0] ?? rest[0];
  return { offset, end: offset + word.length, expected, found: `‘${word}’` };
}
