import type { ShadowOptions } from "../../src/sanitize/shadow-pass.ts";

/** All that pass 1 can look for, in a dispatch of any size. */
export const ALL_CHECKS: ShadowOptions = {
  races: true,
  bounds: true,
  counters: true,
  counts: true,
  sharesCounts: false,
  sites: false,
  only: null,
  isAlong: [true, true, true],
};
