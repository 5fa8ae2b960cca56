// A histogram with one global atomic per value. Right and short; with few bins the invocations queue up at each of them.
// two-level-histogram.wgsl counts in workgroup memory first.
const BINS = 16u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, BINS>;

@compute @workgroup_size(64)
fn histogram(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values)) {
    atomicAdd(&bins[values[id.x] % BINS], 1u);
  }
}
