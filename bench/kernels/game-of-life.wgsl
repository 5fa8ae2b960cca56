// One generation on a torus.
@group(0) @binding(0) var<storage> before: array<u32>;
@group(0) @binding(1) var<storage, read_write> after: array<u32>;
const SIZE = 1024u;
fn alive(x: u32, y: u32) -> u32 { return before[(y % SIZE) * SIZE + x % SIZE] & 1u; }
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = id.x + SIZE;
  let y = id.y + SIZE;
  let neighbours = alive(x - 1u, y - 1u) + alive(x, y - 1u) + alive(x + 1u, y - 1u) + alive(x - 1u, y) +
    alive(x + 1u, y) + alive(x - 1u, y + 1u) + alive(x, y + 1u) + alive(x + 1u, y + 1u);
  let lives = neighbours == 3u || (neighbours == 2u && alive(x, y) == 1u);
  after[id.y * SIZE + id.x] = select(0u, 1u, lives);
}
