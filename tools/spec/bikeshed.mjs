// Reads Bikeshed source as far as the pin needs it: text macros, sections, tables, anchors, and plain text.

/** Tags that are markup; anything else in angle brackets is a template list. */
const tags =
  "a|b|br|caption|code|dd|dfn|div|dl|dt|em|li|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|ul|var|xmp";
const tagPattern = new RegExp(`</?(?:${tags})\\b[^<>]*>`, "g");

const entities = { lt: "<", gt: ">", amp: "&", nbsp: " ", plus: "+", times: "×", le: "≤", ge: "≥" };

/** Replaces `[NAME]` by the text that the metadata gives it. */
export function expandMacros(source) {
  const macros = new Map([...source.matchAll(/^Text Macro: (\w+) (.*)$/gm)].map((match) => [match[1], match[2]]));
  return source.replace(/\[([A-Z][A-Z0-9]*)\]/g, (whole, name) => macros.get(name) ?? whole);
}

/** The text that a reader sees, with line breaks as blank lines. Code in backticks keeps its characters. */
export function plain(html) {
  const code = [];
  const hidden = html
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<xmp\b[^>]*>([\s\S]*?)<\/xmp>/g, (_, text) => `\uE000${code.push(text) - 1}\uE001`)
    .replace(/`([^`]*)`/g, (_, text) => `\uE000${code.push(decode(text)) - 1}\uE001`);
  const text = hidden
    .replace(/<br\s*\/?>/g, "\n\n")
    .replace(tagPattern, "")
    .replace(/\[\[!?[^\]|]*\|([^\]]*)\]\]/g, "$1")
    .replace(/\[\[!?#?([^\]|]*)\]\]/g, "$1")
    .replace(/\[=[^\]|]*\|([^\]]*)=\]/g, "$1")
    .replace(/\[=(?:[^\]/]*\/)?([^\]]*)=\]/g, "$1")
    .replace(/\[([^\]]*)\]\(#[^)]*\)/g, "$1")
    .replace(/\|(\w+)\|/g, "$1");
  return decode(text).replace(/\uE000(\d+)\uE001/g, (_, index) => code[Number(index)]);
}

function decode(text) {
  return text.replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole);
}

/** One line, single spaces. */
export function squeeze(text) {
  return text.replace(/\s+/g, " ").trim();
}

/** Sections in order; `text` reaches to the next heading, `chapter` is the enclosing section of level 2. */
export function sections(source) {
  const headings = [...source.matchAll(/^(#{1,6}) (.+?) #* *\{#([^}]+)\}/gm)];
  let chapter = null;
  return headings.map((match, index) => {
    const end = headings[index + 1]?.index ?? source.length;
    const section = { level: match[1].length, title: match[2], anchor: match[3], text: source.slice(match.index, end) };
    if (section.level <= 2) chapter = section;
    return { ...section, chapter };
  });
}

export function sectionAt(list, anchor) {
  const found = list.find((section) => section.anchor === anchor);
  if (!found) throw new Error(`the spec has no section #${anchor}`);
  return found;
}

/** Tables without tables inside. */
export function tables(text) {
  return [...text.matchAll(/<table\b[^>]*>(?:(?!<table\b)[\s\S])*?<\/table>/g)].map((match) => match[0]);
}

/**
 * Rows of a table as `{algorithm, cells, shared}`: `cells` are source texts, a cell that spans rows is repeated in each,
 * `shared` says which cells are such repetitions.
 */
export function rows(table) {
  const body = table.replace(/<\/?(?:tbody|table)\b[^>]*>/g, "").replace(/<\/?thead\b[^>]*>/g, "");
  const spans = [];
  return body
    .split(/<tr\b/)
    .slice(1)
    .map((text) => {
      const algorithm = /^[^>]*algorithm=(?:"([^"]*)"|'([^']*)')/.exec(text);
      const cells = [];
      const shared = [];
      const takeSpans = () => {
        while (spans[cells.length]?.left > 0) {
          const span = spans[cells.length];
          span.left--;
          shared[cells.length] = true;
          cells.push(span.cell);
        }
      };
      for (const part of text.split(/<t[dh]\b/).slice(1)) {
        takeSpans();
        const close = part.indexOf(">");
        const span = Number(/rowspan=["']?(\d+)/.exec(part.slice(0, close))?.[1] ?? 1);
        const cell = part.slice(close + 1).replace(/<\/t[dhr]>\s*$/, "");
        spans[cells.length] = { left: span - 1, cell };
        shared[cells.length] = false;
        cells.push(cell);
      }
      takeSpans();
      return { algorithm: algorithm ? (algorithm[1] ?? algorithm[2]) : null, cells, shared };
    });
}

/** The names quoted as `'name'` in the list of a section. */
export function quotedNames(section) {
  return [...section.text.matchAll(/^\* <a [^>]*>`'([^']+)'`<\/a>/gm)].map((match) => match[1]);
}

const definitionTypes = new Set([
  "argument",
  "attribute",
  "const",
  "constructor",
  "dfn",
  "dict-member",
  "dictionary",
  "enum",
  "enum-value",
  "interface",
  "method",
  "mixin",
  "typedef",
]);

/** The ids that Bikeshed gives to headings and definitions of a document, sorted. */
export function anchors(source) {
  const found = new Set();
  for (const match of source.matchAll(/^#{1,6} .*?\{#([^}\s]+)\}/gm)) found.add(match[1]);
  for (const match of source.matchAll(/<\w+\b[^<>]*?\sid=["']?([\w:.-]+)/g)) found.add(match[1]);
  const containers = [];
  for (const match of source.matchAll(/<(\/?)(dl|table|dfn)\b([^>]*)>/g)) {
    const [, closing, tag, attributes] = match;
    if (tag === "dfn") {
      if (closing) continue;
      for (const id of definitionIds(source, match.index + match[0].length, attributes, containers)) found.add(id);
    } else if (closing) containers.pop();
    else containers.push(attributesOf(attributes));
  }
  for (const id of interfaceIds(source)) found.add(id);
  found.delete("");
  return [...found].sort();
}

const interfacePrefixes = {
  interface: "",
  namespace: "",
  dictionary: "dictdef-",
  enum: "enumdef-",
  typedef: "typedefdef-",
};

/** Of what an interface definition defines by itself. */
function interfaceIds(source) {
  const blocks = [...source.matchAll(/<script type=idl>([\s\S]*?)<\/script>/g)].map((match) => match[1]);
  const names = blocks.flatMap((block) => [
    ...block.matchAll(/^(interface|namespace|dictionary|enum) (?:mixin )?(\w+)/gm),
    ...block.matchAll(/^(typedef) [^;]*?(\w+);/gm),
  ]);
  return names.map(([, kind, name]) => interfacePrefixes[kind] + name.toLowerCase());
}

/** One, but for operations: those have one with their arguments and one without. */
function definitionIds(source, start, text, containers) {
  const own = attributesOf(text);
  if (own.id) return [own.id];
  const container = containers.findLast((attributes) => attributes["dfn-type"]) ?? {};
  const named = [...definitionTypes].find((type) => own[type] === "");
  const type = named ?? own["dfn-type"] ?? container["dfn-type"] ?? "dfn";
  const scope = own["dfn-for"] ?? own.for ?? (named && !container["dfn-type"] ? "" : (container["dfn-for"] ?? ""));
  const content = plain(source.slice(start, source.indexOf("</dfn>", start)));
  const name = (own.lt ?? own["local-lt"] ?? content).split("|")[0];
  const idOf = (term) => simplify(scope ? `${scope.split(",")[0]}-${simplify(term)}` : term);
  const id = idOf(name);
  if ("abstract-op" in own) return [id, `abstract-opdef-${id}`];
  if (type === "dfn") return [id];
  return type === "method" ? [`dom-${id}`, `dom-${idOf(name.replace(/\(.*/s, ""))}`] : [`dom-${id}`];
}

function attributesOf(text) {
  const pattern = /([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  return Object.fromEntries(
    [...text.matchAll(pattern)].map((match) => [
      match[1].replace(/^data-/, ""),
      match[2] ?? match[3] ?? match[4] ?? "",
    ]),
  );
}

/** Bikeshed's way from a term to an id. */
function simplify(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll("()", "")
    .replace(/[\s/(,]+/g, "-")
    .replace(/[^a-z0-9_-]/g, "")
    .replace(/-+$/, "");
}
