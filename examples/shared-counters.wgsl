// Two counters side by side in one struct. Every invocation adds to one of them; a plain `+= 1` would lose updates
// (see lost-update.wgsl). Only atomic members may be touched by several invocations at once, so both members are atomic.
struct Counters {
  alive: atomic<u32>,
  dead: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> health: array<i32>;
@group(0) @binding(1) var<storage, read_write> counters: Counters;

@compute @workgroup_size(64)
fn census(@builtin(global_invocation_id) id: vec3u) {
  // The last workgroup is only partly needed: 4 * 64 invocations for 200 elements.
  if (id.x >= arrayLength(&health)) {
    return;
  }
  if (health[id.x] > 0) {
    atomicAdd(&counters.alive, 1u);
  } else {
    atomicAdd(&counters.dead, 1u);
  }
}
