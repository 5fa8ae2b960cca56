// One histogram per tile of 256 values and one of all values. There are more tiles than workgroups: each workgroup takes
// several in turn and uses its memory again, so it must clear it, and needs a third barrier.
const SIZE = 64u;
const TILE = 256u;
const BINS = 16u;
const_assert SIZE >= BINS;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> tiles: array<array<vec4u, BINS / 4u>>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>, BINS>;

var<workgroup> own_bins: array<atomic<u32>, BINS>;

@compute @workgroup_size(SIZE)
fn histogram(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  // The loop's condition is the same for the whole workgroup: it must be, there are barriers inside.
  for (var tile = workgroup.x; tile < arrayLength(&tiles); tile += workgroups.x) {
    if (lane < BINS) {
      atomicStore(&own_bins[lane], 0u);
    }
    workgroupBarrier();  // 1: nobody counts before all bins are cleared

    let end = min((tile + 1u) * TILE, arrayLength(&values));
    for (var i = tile * TILE + lane; i < end; i += SIZE) {
      atomicAdd(&own_bins[values[i] % BINS], 1u);
    }
    workgroupBarrier();  // 2: nobody reads a count before all have counted

    if (lane < BINS) {
      let count = atomicLoad(&own_bins[lane]);
      if (count > 0u) {
        atomicAdd(&bins[lane], count);
      }
    }
    if (lane < BINS / 4u) {
      // Four neighbouring bins in one store. These bins were cleared, and will be, by other invocations than this one.
      let bin = lane * 4u;
      tiles[tile][lane] = vec4u(
        atomicLoad(&own_bins[bin]),
        atomicLoad(&own_bins[bin + 1u]),
        atomicLoad(&own_bins[bin + 2u]),
        atomicLoad(&own_bins[bin + 3u]),
      );
    }
    workgroupBarrier();  // 3: nobody clears for the next tile before all have read this one
  }
}
