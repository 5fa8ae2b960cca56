@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute
fn main(@builtin(global_invocation_id) id: vec3u) {
  data[id.x] = 1u;
}
