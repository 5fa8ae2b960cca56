// Sorts blocks of 512 keys in workgroup memory: 45 steps, a barrier after each.
@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
var<workgroup> block: array<u32, 512>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let base = group.x * 512u;
  block[local] = keys[base + local] * 747796405u + 2891336453u;
  block[local + 256u] = keys[base + local + 256u] * 747796405u + 2891336453u;
  workgroupBarrier();
  for (var size = 2u; size <= 512u; size *= 2u) {
    for (var stride = size / 2u; stride > 0u; stride /= 2u) {
      let low = (local / stride) * stride * 2u + local % stride;
      let high = low + stride;
      let ascending = (low & size) == 0u;
      let a = block[low];
      let b = block[high];
      if ((a > b) == ascending) {
        block[low] = b;
        block[high] = a;
      }
      workgroupBarrier();
    }
  }
  keys[base + local] = block[local];
  keys[base + local + 256u] = block[local + 256u];
}
