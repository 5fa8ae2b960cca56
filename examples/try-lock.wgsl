// A lock that is tried a few times and then left alone: no invocation ever waits for another one.
//
// A lock in WGSL protects less than it seems: atomics are relaxed, so plain data behind a lock is a data race, and other
// atomics may be seen in their old state. What does work is to keep lock and data in *one* word, whose changes have one
// order for all. Here 31 bits are the state of a random number generator and the top bit is the lock; the holder alone
// may advance the state, and publishes and unlocks with the same operation.
const LOCKED = 0x80000000u;
const TRIES = 8u;
const GAVE_UP = LOCKED;  // never a state
const FIRST_STATE = 1u;

struct Report {
  accounted: u32,  // invocations that drew a number or gave up
  missing: u32,    // numbers of the sequence that nobody drew
  locked: u32,
}

@group(0) @binding(0) var<storage, read_write> generator: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> drawn: array<u32>;
@group(0) @binding(2) var<storage, read_write> report: Report;

fn advance(state: u32) -> u32 {
  return (state * 1103515245u + 12345u) & ~LOCKED;
}

@compute @workgroup_size(16)
fn draw(@builtin(global_invocation_id) id: vec3u) {
  drawn[id.x] = GAVE_UP;
  for (var tries = 0u; tries < TRIES; tries++) {
    let state = atomicLoad(&generator) & ~LOCKED;
    // Fails if somebody holds the lock, if the state has moved on, or for no reason at all (weak).
    let attempt = atomicCompareExchangeWeak(&generator, state, state | LOCKED);
    if (attempt.exchanged) {
      let advanced = advance(state);
      drawn[id.x] = advanced;
      // While the lock is held nobody else changes the word; this flips exactly the bits that differ.
      atomicXor(&generator, (state | LOCKED) ^ advanced);
      return;
    }
  }
}

// Who draws which number depends on the schedule. That the sequence has no gap does not.
@compute @workgroup_size(1)
fn audit() {
  let count = arrayLength(&drawn);
  var served = 0u;
  for (var i = 0u; i < count; i++) {
    served += u32(drawn[i] != GAVE_UP);
    report.accounted += u32(drawn[i] != 0u);
  }
  var state = FIRST_STATE;
  for (var n = 0u; n < served; n++) {
    state = advance(state);
    var found = false;
    for (var i = 0u; i < count && !found; i++) {
      found = drawn[i] == state;
    }
    report.missing += u32(!found);
  }
  report.locked = atomicLoad(&generator) >> 31u;
}
