// Every invocation emits a different number of items. One reservation per workgroup in the global counter, and a
// range of its own for each invocation inside it: 4 global atomics instead of 256.
const SIZE = 64u;

@group(0) @binding(0) var<storage, read> item_counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> used: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> items: array<u32>;

var<workgroup> wanted: atomic<u32>;  // items of the whole workgroup; workgroup memory starts at zero
var<workgroup> first_item: u32;      // where the workgroup's reservation begins

@compute @workgroup_size(SIZE)
fn emit(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  // No early return: all invocations of a workgroup must reach the barriers.
  var count = 0u;
  if (id.x < arrayLength(&item_counts)) {
    count = item_counts[id.x];
  }
  let own_offset = atomicAdd(&wanted, count);
  workgroupBarrier();

  if (lane == 0u) {
    first_item = atomicAdd(&used, atomicLoad(&wanted));
  }
  // Hands one invocation's value to all; it is a barrier too, so the write above is seen.
  let start = workgroupUniformLoad(&first_item) + own_offset;

  for (var n = 0u; n < count; n++) {
    if (start + n < arrayLength(&items)) {
      items[start + n] = id.x;
    }
  }
}
