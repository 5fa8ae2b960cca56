// Inclusive sums inside blocks of 256 (Hillis and Steele): sixteen barriers.
@group(0) @binding(0) var<storage> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;
var<workgroup> scratch: array<u32, 256>;
@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  scratch[local] = values[id.x];
  workgroupBarrier();
  for (var step = 1u; step < 256u; step *= 2u) {
    var sum = scratch[local];
    if (local >= step) { sum += scratch[local - step]; }
    workgroupBarrier();
    scratch[local] = sum;
    workgroupBarrier();
  }
  sums[id.x] = scratch[local];
  if (local == 255u) { totals[group.x] = scratch[local]; }
}
