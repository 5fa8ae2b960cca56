// A pass of a radix sort: how often each digit occurs in each block, and each key's place among its equals.
@group(0) @binding(0) var<storage> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> places: array<u32>;
var<workgroup> digits: array<atomic<u32>, 16>;
@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  if (local < 16u) { atomicStore(&digits[local], 0u); }
  workgroupBarrier();
  let digit = (keys[id.x] >> 4u) & 15u;
  places[id.x] = atomicAdd(&digits[digit], 1u);
  workgroupBarrier();
  if (local < 16u) { counts[group.x * 16u + local] = atomicLoad(&digits[local]); }
}
