@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  result[id.x] = source[id.x];
}
