// WRONG ON PURPOSE: a pool of free slots that is only a counter, "take, look, put back".
//
// With no slot left, one invocation takes the counter from 0 to 2^32 - 1 and has not yet put it back. A second one now
// finds 2^32 - 1, which is not zero: it believes it has a slot and puts nothing back. The counter never recovers.
// Three invocations and one free slot are enough. Right: pool.wgsl.
@group(0) @binding(0) var<storage, read_write> free: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> got: array<i32, 3>;

fn take() -> i32 {
  let before = atomicSub(&free, 1u);
  if (before == 0u) {
    atomicAdd(&free, 1u);  // too late: others may have seen the wrapped value
    return -1;
  }
  return i32(before - 1u);
}

@compute @workgroup_size(3)
fn take_one(@builtin(local_invocation_index) lane: u32) {
  got[lane] = take();
}
