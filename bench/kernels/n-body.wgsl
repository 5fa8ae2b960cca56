// Accelerations of bodies by a sample of 64 others, loaded once per workgroup.
@group(0) @binding(0) var<storage> bodies: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> accelerations: array<vec4f>;
var<workgroup> others: array<vec4f, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  let own = bodies[id.x];
  others[local] = bodies[local * 1021u];
  workgroupBarrier();
  var acceleration = vec3f();
  for (var i = 0u; i < 64u; i++) {
    let other = others[i];
    let way = other.xyz - own.xyz;
    let distance = dot(way, way) + 0.01;
    acceleration += way * (other.w * inverseSqrt(distance * distance * distance));
  }
  accelerations[id.x] = vec4f(acceleration, 0.0);
}
