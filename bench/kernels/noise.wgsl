// Transcendental functions: two octaves of waves.
@group(0) @binding(0) var<storage, read_write> heights: array<f32>;
const SIZE = 1024u;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let p = vec2f(f32(id.x % SIZE), f32(id.x / SIZE)) * 0.01;
  let coarse = sin(p.x) * cos(p.y) + sin(p.x * 1.7 + p.y);
  let fine = sin(p.x * 6.1) * cos(p.y * 5.3);
  heights[id.x] = pow(abs(coarse) + 0.1, 1.3) + exp(-abs(fine)) * log(2.0 + coarse * coarse);
}
