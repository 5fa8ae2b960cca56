/** What the launch expects of single cells, where it says so in plain numbers. */
import type { Part } from "../engine/protocol.ts";
import { launch } from "./launch.ts";
import { isObject } from "./launch-shape.ts";

/** By index in an array of scalars; null: the launch says nothing of that kind. */
export function expectedCells(name: string, part: Part): readonly unknown[] | null {
  const expectation: unknown = launch.value?.expect?.[name];
  if (!part.isArray || part.inner !== null || part.path !== "" || part.columns.length !== 1) return null;
  if (!isObject(expectation)) return null;
  const { values, u32, i32, f32, unordered, count } = expectation;
  if (unordered === true || count !== undefined) return null;
  const found = values ?? u32 ?? i32 ?? f32;
  return Array.isArray(found) ? (found as readonly unknown[]) : null;
}
