// WRONG ON PURPOSE: counting without atomics. `+= 1` is a read, an addition and a write; two invocations that read the
// same old value write the same new one, and one of the two increments is lost. Legal WGSL, yet a data race.
@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;

@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += 1u;
}
