// Particles near each particle: they are sorted by cell, up to four in each; 27 cells are looked at.
@group(0) @binding(0) var<storage> positions: array<vec4f>;
@group(0) @binding(1) var<storage> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> neighbours: array<u32>;
const SIDE = 64;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let own = positions[id.x].xyz;
  let index = i32(id.x / 4u);
  let cell = vec3i(index % SIDE, (index / SIDE) % SIDE, index / (SIDE * SIDE));
  var found = 0u;
  for (var z = max(cell.z - 1, 0); z <= min(cell.z + 1, SIDE - 1); z++) {
    for (var y = max(cell.y - 1, 0); y <= min(cell.y + 1, SIDE - 1); y++) {
      for (var x = max(cell.x - 1, 0); x <= min(cell.x + 1, SIDE - 1); x++) {
        let near = u32((z * SIDE + y) * SIDE + x);
        for (var i = 0u; i < min(counts[near], 4u); i++) {
          let way = positions[near * 4u + i].xyz - own;
          if (dot(way, way) < 0.25) { found++; }
        }
      }
    }
  }
  neighbours[id.x] = found;
}
