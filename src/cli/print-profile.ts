/** A profile for people: tables and small bars. */
import type { TerminalCode, Words } from "../diagnostics/words.ts";
import type { DispatchProfile, ProfiledAddress, ProfiledPlace, ProfileResult } from "../sanitize/profile.ts";
import type { Look } from "./report.ts";
import { table } from "./table.ts";

/** Cells of a bar. */
const BAR = 16;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

export function profileText({ profile }: ProfileResult, path: string, emulated: string | null, look: Look): string {
  const { paint, words } = look;
  const head = `${paint("strong", path)}${emulated === null ? "" : `  ${paint("faint", words.say("emulating", { device: emulated }))}`}\n`;
  return `${head}${profile.map((each) => dispatchText(each, look)).join("\n")}\n`;
}

function dispatchText(profile: DispatchProfile, look: Look): string {
  const { paint, words } = look;
  const { entry, dispatches, workgroups, invocations } = profile;
  const times = dispatches === 1 ? "" : `${words.count("dispatch", dispatches)}, `;
  const size = `${words.count("workgroup", workgroups)}, ${words.count("invocation", invocations)}`;
  const parts = [
    `\n${paint("strong", entry)}  ${times}${size}\n`,
    atomicsText(profile, look),
    addressesText(profile.addresses, look),
    accessesText(profile, look),
    memoryText(profile, look),
    twoLevelText(profile, look),
  ];
  return parts.join("");
}

type Title = Extract<TerminalCode, `title-${string}`>;

function title(code: Title, { paint, words }: Look): string {
  return `\n  ${paint("faint", words.say(code))}\n`;
}

function placeText({ source, span }: ProfiledPlace): string {
  const { line, column } = source.position(span.start);
  return `${line}:${column}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** Eight steps to a cell. */
function bar(share: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * BAR * 8);
  return "█".repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}

function atomicsText({ places }: DispatchProfile, look: Look): string {
  const atomics = places.filter(({ kind }) => kind.startsWith("atomic"));
  if (atomics.length === 0) return "";
  const { words } = look;
  const rows = atomics.map((place) => [
    placeText(place),
    place.atomic ?? "workgroupUniformLoad",
    place.variable,
    words.number(place.operations),
    words.count("invocation", place.invocations!),
    words.count("address", place.addresses!),
    place.hottest === null
      ? ""
      : words.say("most-at", { path: place.hottest.path, share: percent(place.hottest.share) }),
    unchangedText(place, words),
  ]);
  return (
    title("title-atomics", look) +
    table(rows, ["left", "left", "left", "right", "right", "right", "left", "left"], "    ")
  );
}

function unchangedText({ unchanged, retries, interleaved, operations }: ProfiledPlace, words: Words): string {
  if (retries !== null) {
    const count = words.number(retries);
    if (interleaved === null) return words.say("tried-again", { count });
    const [again, of] = [interleaved.retries, interleaved.operations].map(words.number);
    return words.say("tried-in-turn", { count, retries: again, operations: of });
  }
  return unchanged === null || unchanged === 0
    ? ""
    : words.say("changed-nothing", { share: percent(unchanged / operations) });
}

function addressesText(addresses: readonly ProfiledAddress[], look: Look): string {
  if (addresses.length === 0) return "";
  const rows = addresses.map(({ path, space, operations, share, invocations, workgroups }) => [
    path,
    space,
    look.words.number(operations),
    percent(share),
    look.paint("good", bar(share)),
    look.words.say("invocations-of", {
      invocations: look.words.count("invocation", invocations),
      workgroups: look.words.count("workgroup", workgroups),
    }),
  ]);
  return title("title-addresses", look) + table(rows, ["left", "left", "right", "right", "left", "left"], "    ");
}

function accessesText({ places }: DispatchProfile, look: Look): string {
  const shown = places.filter(({ segments }) => segments !== null);
  if (shown.length === 0) return "";
  const rows = shown.map((place) => {
    const { each, least } = place.segments!;
    return [
      placeText(place),
      place.kind,
      place.variable,
      look.words.number(place.operations),
      look.words.count("byte", place.bytes),
      look.words.say("segments", { each: each.toFixed(1), least }),
      look.paint(each > 2 * least ? "bad" : "good", bar(least / each)),
    ];
  });
  return (
    title("title-accesses", look) + table(rows, ["left", "left", "left", "right", "right", "right", "left"], "    ")
  );
}

function memoryText({ memory }: DispatchProfile, look: Look): string {
  const { words } = look;
  const rows = memory.map(({ variable, space, bytesRead, bytesWritten, atomicOperations }) => [
    variable,
    space,
    words.say("bytes-read", { count: words.number(bytesRead) }),
    words.say("bytes-written", { count: words.number(bytesWritten) }),
    atomicOperations === 0 ? "" : words.say("atomic-count", { count: words.number(atomicOperations) }),
  ]);
  return rows.length === 0
    ? ""
    : title("title-bytes", look) + table(rows, ["left", "left", "right", "right", "right"], "    ");
}

function twoLevelText({ twoLevel }: DispatchProfile, look: Look): string {
  const useful = twoLevel.filter(({ now, global }) => global < now);
  if (useful.length === 0) return "";
  const { words } = look;
  const rows = useful.map(({ variable, now, local, global }) => [
    variable,
    words.say("on-storage", { count: words.number(now) }),
    "→",
    words.say("in-workgroup-memory", { count: words.number(local) }),
    words.say("on-storage", { count: words.number(global) }),
  ]);
  return title("title-two-level", look) + table(rows, ["left", "right", "left", "right", "right"], "    ");
}
