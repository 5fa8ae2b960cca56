// The kernels that engines are measured with, as launches: every example at a size of 2^20 invocations or more, and
// kernels of common kinds.
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const MILLION = 2 ** 20;

/** One entry point of an example, with larger buffers. */
function example(name, entry, workgroups, buffers, more = {}) {
  return {
    name: `example ${name}`,
    launch: { shader: read(`../examples/${name}.wgsl`), entry, workgroups, buffers },
    ...more,
  };
}

/** The example's word has room for 255 blocks of 64: 12 bits for the turn and 20 for the sum come to 2^20 invocations. */
function turnsFor4095Blocks({ launch, ...more }) {
  const shader = launch.shader
    .replace("const SIZE = 64u;", "const SIZE = 256u;")
    .replace("const TURN_SHIFT = 24u;", "const TURN_SHIFT = 20u;");
  return { ...more, launch: { ...launch, shader } };
}

function kernel(name, workgroups, buffers, more = {}) {
  const shader = read(`kernels/${name.replaceAll(" ", "-")}.wgsl`);
  return { name, launch: { shader, entry: "main", workgroups, buffers }, ...more };
}

const values = `random:${MILLION}`;
const zeros = `zeros:${MILLION}`;
const lines = [MILLION / 64];
/** More than 65,535 along one axis are not allowed. */
const square = [1024 / 16, 1024 / 16];

/** `native`: the function of `native/kernels.c` with the same loops. `least`: how many times faster than SwiftShader it is meant to be. */
export const KERNELS = [
  example("histogram", "histogram", lines, { values }, { native: "histogram", least: 5 }),
  example("two-level-histogram", "histogram", [256], { values: `random:${MILLION}` }, { items: MILLION, least: 50 }),
  example("two-level-histogram-tiles", "histogram", [4096], { values: `random:${MILLION}`, tiles: "zeros:4096" }),
  example("block-sum", "sum_blocks", [MILLION / 256], { values, sums: `zeros:${MILLION / 256}` }, { least: 200 }),
  example("reduce", "reduce", lines, { source: `random:${MILLION}`, sums: `zeros:${MILLION / 64}` }),
  example("shared-counters", "census", lines, { health: `random:${MILLION}:min=-9:max=10` }),
  example("lost-update", "count", lines, { counts: "zeros" }),
  example("append-list", "append", lines, { values: `random:${MILLION}:min=1:max=99`, list: zeros }),
  example("reserve-space", "emit", lines, {
    item_counts: `random:${MILLION}:min=0:max=3`,
    items: `zeros:${2 * MILLION}`,
  }),
  example("pool", "churn", [MILLION / 32], { free_slots: "fill:4294967295:32", got: zeros }),
  example("pool-unsafe", "take_one", [2048, 171], { free: "1", got: `zeros:${MILLION}` }),
  example("float-sum", "add_all", lines, { values }),
  example("float-sum-pointer", "add_all", lines, { values }),
  example("max-positive", "find_largest", lines, { values }),
  example("max-any-sign", "find_largest", lines, { values }),
  example("particles-per-cell", "count", lines, { particles: values, places: zeros }),
  example("try-lock", "draw", [MILLION / 16 - 1], { generator: "1", drawn: zeros }),
  turnsFor4095Blocks(
    example(
      "ticket-lock",
      "offset_blocks",
      [4095],
      { values: `fill:1:${4095 * 256}`, next_ticket: "0", serving: "0", offsets: "zeros:4095" },
      { once: true },
    ),
  ),
  example("layout-round-trip", "round_trip", [65535], {
    bodies: "random:262140",
    copies: "zeros:262140",
    probes: "zeros:262140",
  }),
  kernel("matrix multiply", [64, 64], { a: values, b: values, c: zeros }),
  kernel("n-body", lines, { bodies: values, accelerations: zeros }),
  kernel("blur", square, { source: values, blurred: zeros }),
  kernel("bitonic sort", [MILLION / 256], { keys: `random:${2 * MILLION}` }),
  kernel("prefix scan", [MILLION / 256], { values, sums: zeros, totals: `zeros:${MILLION / 256}` }),
  kernel(
    "game of life",
    [128, 128],
    { before: `random:${MILLION}:min=0:max=1`, after: zeros },
    { native: "game_of_life" },
  ),
  kernel("mandelbrot", lines, { rounds: zeros }, { native: "mandelbrot" }),
  kernel(
    "neighbour count",
    lines,
    {
      positions: values,
      counts: `random:${MILLION / 4}:min=0:max=4`,
      neighbours: zeros,
    },
    { native: "neighbour_count" },
  ),
  kernel("radix count", [MILLION / 256], { keys: values, counts: `zeros:${MILLION / 16}`, places: zeros }),
  kernel("softmax", [MILLION / 256], { values, shares: zeros }),
  kernel("saxpy", lines, { x: values, y: values }),
  kernel("noise", lines, { heights: zeros }),
];
