/** A profile for people: tables and small bars. */
import type { DispatchProfile, ProfiledAddress, ProfiledPlace, ProfileResult } from "../sanitize/profile.ts";
import type { Look } from "./report.ts";
import { bytesText, grouped, table } from "./table.ts";

/** Cells of a bar. */
const BAR = 16;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

export function profileText({ profile }: ProfileResult, path: string, emulated: string | null, look: Look): string {
  const { paint } = look;
  const head = `${paint("strong", path)}${emulated === null ? "" : `  ${paint("faint", `emulating ${emulated}`)}`}\n`;
  return `${head}${profile.map((each) => dispatchText(each, look)).join("\n")}\n`;
}

function dispatchText(profile: DispatchProfile, look: Look): string {
  const { paint } = look;
  const { entry, dispatches, workgroups, invocations } = profile;
  const times = dispatches === 1 ? "" : `${grouped(dispatches)} dispatches, `;
  const size = `${counted(workgroups, "workgroup")}, ${counted(invocations, "invocation")}`;
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

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${grouped(count)} ${noun}s`;
}

function title(text: string, { paint }: Look): string {
  return `\n  ${paint("faint", text)}\n`;
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
  const rows = atomics.map((place) => [
    placeText(place),
    place.atomic ?? "workgroupUniformLoad",
    place.variable,
    grouped(place.operations),
    counted(place.invocations!, "invocation"),
    place.addresses === 1 ? "1 address" : `${grouped(place.addresses!)} addresses`,
    place.hottest === null ? "" : `most at ${place.hottest.path}: ${percent(place.hottest.share)}`,
    unchangedText(place),
  ]);
  return (
    title("atomic operations", look) +
    table(rows, ["left", "left", "left", "right", "right", "right", "left", "left"], "    ")
  );
}

function unchangedText({ unchanged, retries, interleaved, operations }: ProfiledPlace): string {
  if (retries !== null) {
    const inTurn =
      interleaved === null ? "" : `; in turn ${grouped(interleaved.retries)} of ${grouped(interleaved.operations)}`;
    return `${grouped(retries)} tried again${inTurn}`;
  }
  return unchanged === null || unchanged === 0 ? "" : `${percent(unchanged / operations)} changed nothing`;
}

function addressesText(addresses: readonly ProfiledAddress[], look: Look): string {
  if (addresses.length === 0) return "";
  const rows = addresses.map(({ path, space, operations, share, invocations, workgroups }) => [
    path,
    space,
    grouped(operations),
    percent(share),
    look.paint("good", bar(share)),
    `${counted(invocations, "invocation")} of ${counted(workgroups, "workgroup")}`,
  ]);
  return (
    title("addresses with most atomic operations", look) +
    table(rows, ["left", "left", "right", "right", "left", "left"], "    ")
  );
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
      grouped(place.operations),
      bytesText(place.bytes),
      `${each.toFixed(1)} segments, at least ${least}`,
      look.paint(each > 2 * least ? "bad" : "good", bar(least / each)),
    ];
  });
  return (
    title("accesses to buffers, and segments of 128 bytes that 32 neighbours touch together", look) +
    table(rows, ["left", "left", "left", "right", "right", "right", "left"], "    ")
  );
}

function memoryText({ memory }: DispatchProfile, look: Look): string {
  const rows = memory.map(({ variable, space, bytesRead, bytesWritten, atomicOperations }) => [
    variable,
    space,
    `${grouped(bytesRead)} read`,
    `${grouped(bytesWritten)} written`,
    atomicOperations === 0 ? "" : `${grouped(atomicOperations)} atomic`,
  ]);
  return rows.length === 0
    ? ""
    : title("bytes", look) + table(rows, ["left", "left", "right", "right", "right"], "    ");
}

function twoLevelText({ twoLevel }: DispatchProfile, look: Look): string {
  const useful = twoLevel.filter(({ now, global }) => global < now);
  if (useful.length === 0) return "";
  const rows = useful.map(({ variable, now, local, global }) => [
    variable,
    `${grouped(now)} on storage`,
    "→",
    `${grouped(local)} in workgroup memory`,
    `${grouped(global)} on storage`,
  ]);
  return (
    title("if each workgroup counted for itself first", look) +
    table(rows, ["left", "right", "left", "right", "right"], "    ")
  );
}
