// How many particles are in each cell of a grid, and which place each has in its cell: the old value of the counter. With
// prefix sums of the counts that is all one needs to sort the particles by cell.
const GRID = 4u;

struct Particle {
  position: vec2f,  // in [0, 1)
  velocity: vec2f,
}

@group(0) @binding(0) var<storage, read> particles: array<Particle>;
@group(0) @binding(1) var<storage, read_write> cells: array<atomic<u32>, GRID * GRID>;
@group(0) @binding(2) var<storage, read_write> places: array<u32>;  // which of a cell's places goes to whom is left to chance

fn cell_of(position: vec2f) -> u32 {
  // Clamped: a particle on the far edge, or one that strayed, counts in the nearest cell instead of a wrong one.
  let cell = vec2u(clamp(position * f32(GRID), vec2f(0.0), vec2f(f32(GRID - 1u))));
  return cell.y * GRID + cell.x;
}

@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&particles)) {
    places[id.x] = atomicAdd(&cells[cell_of(particles[id.x].position)], 1u);
  }
}
