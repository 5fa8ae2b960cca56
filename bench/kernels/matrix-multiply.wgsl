// C = A B, square, in tiles of 16 by 16 in workgroup memory.
@group(0) @binding(0) var<storage> a: array<f32>;
@group(0) @binding(1) var<storage> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
const SIZE = 1024u;
const TILE = 16u;
var<workgroup> tileA: array<array<f32, 16>, 16>;
var<workgroup> tileB: array<array<f32, 16>, 16>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) at: vec3u) {
  var sum = 0.0;
  for (var t = 0u; t < SIZE / TILE; t++) {
    tileA[at.y][at.x] = a[id.y * SIZE + t * TILE + at.x];
    tileB[at.y][at.x] = b[(t * TILE + at.y) * SIZE + id.x];
    workgroupBarrier();
    for (var k = 0u; k < TILE; k++) {
      sum += tileA[at.y][k] * tileB[k][at.x];
    }
    workgroupBarrier();
  }
  c[id.y * SIZE + id.x] = sum;
}
