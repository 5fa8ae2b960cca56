// A histogram in two levels: each workgroup counts in its own memory, then adds each bin to the result once. For 2^20
// values and 256 workgroups that is 2^20 local atomics and at most 65536 global ones, instead of 2^20 global ones.
const SIZE = 256u;
const BINS = 256u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, BINS>;

// Workgroup memory starts at zero, so nothing need be cleared. Used again in a loop it must be: two-level-histogram-tiles.
var<workgroup> own_bins: array<atomic<u32>, BINS>;

@compute @workgroup_size(SIZE)
fn histogram(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  // The stride is the size of the whole dispatch, so that neighbouring invocations always read neighbouring values.
  for (var i = id.x; i < arrayLength(&values); i += workgroups.x * SIZE) {
    atomicAdd(&own_bins[values[i] % BINS], 1u);
  }
  // All of the workgroup have counted before anyone reads a sum.
  workgroupBarrier();

  // Strided, so that BINS and SIZE need not be equal.
  for (var bin = lane; bin < BINS; bin += SIZE) {
    let count = atomicLoad(&own_bins[bin]);
    if (count > 0u) {  // in skewed data most bins of a workgroup are empty
      atomicAdd(&bins[bin], count);
    }
  }
}
