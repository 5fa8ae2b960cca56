// Rounds until a point escapes, 64 at most.
@group(0) @binding(0) var<storage, read_write> rounds: array<u32>;
const SIZE = 1024u;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = vec2f(f32(id.x % SIZE), f32(id.x / SIZE)) / f32(SIZE);
  let c = vec2f(at.x * 3.0 - 2.0, at.y * 2.0 - 1.0);
  var z = vec2f();
  var n = 0u;
  while (n < 64u && dot(z, z) < 4.0) {
    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    n++;
  }
  rounds[id.x] = n;
}
