@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(thread_id) id: vec3u) {
  data[id.x] = 1u;
}
