import { describe, expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { endTogether } from "./barrier-kinds.ts";

const HEAD = `
@group(0) @binding(0) var<uniform> all: u32;
var<workgroup> a: array<u32, 64>;
`;

/** `all` is the same for all invocations, `i` is not. */
function ends(body: string, helpers = ""): boolean {
  return endTogether(
    lowerText(`${HEAD}${helpers}
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { ${body} }`),
  );
}

const BARRIER = "workgroupBarrier();";

describe("all invocations of a workgroup come to the ends of what holds a barrier together", () => {
  test.each([
    `a[i] = 1u; ${BARRIER} a[i] = 2u;`,
    `if (all > 1u) { return; } ${BARRIER} a[i] = 2u;`,
    `if (all > 1u) { a[i] = 1u; ${BARRIER} return; } a[i] = 2u;`,
    `if (all > 1u) { ${BARRIER} } else { return; } a[i] = 2u;`,
    `for (var k = 0u; k < all; k++) { a[i] = 1u; ${BARRIER} } a[i] = 2u;`,
    `loop { ${BARRIER} if (all > 1u) { break; } a[i] = 1u; } a[i] = 2u;`,
    `loop { ${BARRIER} if (all > 1u) { return; } a[i] = 1u; }`,
    `${BARRIER} for (var k = 0u; k < i; k++) { if (k == 9u) { break; } else { continue; } } a[i] = 2u;`,
    `${BARRIER} switch i { case 1: { if (i > 2u) { break; } a[i] = 1u; } default: {} } a[i] = 2u;`,
    `switch all { case 1: { if (all > 0u) { break; } ${BARRIER} a[i] = 1u; } default: {} } a[i] = 2u;`,
  ])("%s", (body) => {
    expect(ends(body)).toBe(true);
  });
});

describe("some leave early behind the last barrier", () => {
  test.each([
    `${BARRIER} if (i > 3u) { return; } a[i] = 2u;`,
    `if (all > 1u) { ${BARRIER} } else { if (i > 3u) { return; } } a[i] = 2u;`,
    `if (all > 1u) { ${BARRIER} if (i > 3u) { return; } a[i] = 1u; }`,
    `${BARRIER} for (var k = 0u; k < i; k++) { if (k == 9u) { return; } } a[i] = 2u;`,
    `switch all { case 1: { ${BARRIER} if (i > 3u) { break; } a[i] = 1u; } default: {} }`,
    `switch all { case 1: { ${BARRIER} } default: { if (i > 3u) { break; } a[i] = 1u; } }`,
    `loop { ${BARRIER} switch all { case 1: { ${BARRIER} if (i > 3u) { break; } a[i] = 1u; } default: {} } if (all > 1u) { break; } }`,
  ])("%s", (body) => {
    expect(ends(body)).toBe(false);
  });

  test("a function, though its callers do not", () => {
    const helper = `fn half(i: u32) { ${BARRIER} if (i > 3u) { return; } a[i] = 1u; }`;
    expect(ends("half(i); a[i] = 2u;", helper)).toBe(false);
    expect(ends("half(i); a[i] = 2u;", helper.replace("return;", "a[i] = 3u;"))).toBe(true);
  });

  test("where there is no barrier nobody has to", () => {
    expect(ends(`half(i); ${BARRIER} a[i] = 2u;`, "fn half(i: u32) { if (i > 3u) { return; } a[i] = 1u; }")).toBe(true);
  });
});
