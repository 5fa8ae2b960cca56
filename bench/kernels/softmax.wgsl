// Rows of 256: the largest by a tree, exponentials, their sum by a tree, division.
@group(0) @binding(0) var<storage> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> shares: array<f32>;
var<workgroup> scratch: array<f32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  let value = values[id.x];
  scratch[local] = value;
  workgroupBarrier();
  for (var stride = 128u; stride > 0u; stride /= 2u) {
    if (local < stride) { scratch[local] = max(scratch[local], scratch[local + stride]); }
    workgroupBarrier();
  }
  let largest = workgroupUniformLoad(&scratch[0]);
  let power = exp(value - largest);
  scratch[local] = power;
  workgroupBarrier();
  for (var stride = 128u; stride > 0u; stride /= 2u) {
    if (local < stride) { scratch[local] += scratch[local + stride]; }
    workgroupBarrier();
  }
  shares[id.x] = power / scratch[0];
}
