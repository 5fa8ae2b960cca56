// A pool of free slots that is right for pops and pushes together.
//
// One bit per slot, 1 = free. A pop clears a bit with atomicAnd, a push sets it with atomicOr, and the old value tells
// whether it was this invocation that made the change. Why this is right under every interleaving:
//
// - Exclusive. The changes of one word are atomic read-modify-writes of one location, so they have one order, the same
//   for all. In it a bit goes from 1 to 0 only by an atomicAnd that finds it 1; that invocation owns the slot, and
//   until it pushes the slot back every other atomicAnd finds the bit 0.
// - Nothing is lost. Nobody changes the bit of a slot that someone else owns, and there is no counter to repair:
//   free bits and owned slots together are all slots, at every moment.
// - Bounded. After a failed claim the next one is for a bit that the old value showed free; it fails only if another pop
//   took that very bit in between. So a pop makes at most (words + pops of others that succeeded meanwhile + 1)
//   attempts, and nobody waits: if all others stop, the next attempt claims a slot or finds the word empty.
// - An honest "none". -1 is returned only after each word was found empty. If nothing is pushed meanwhile, the pool is
//   empty. A slot pushed into a word already visited can be missed: unlucky, never wrong.
//
// Atomics in WGSL are relaxed, they order no other memory: what the last owner wrote *in* a slot may be out of sight of
// the next one until the next dispatch. For the same reason a linked list of free slots is not a way out here: the link
// read beside the head may be an old one, and a tag against ABA does not notice.
struct Report {
  accounted: u32,        // slots that are free or held by one invocation
  errors: atomic<u32>,   // slots held twice, held and free, or pushed while free
}

@group(0) @binding(0) var<storage, read_write> free_slots: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> got: array<i32>;  // the slot held in the end, -1 for none
@group(0) @binding(2) var<storage, read_write> report: Report;

fn pop(start: u32) -> i32 {
  let words = arrayLength(&free_slots);
  for (var n = 0u; n < words; n++) {
    let word = (start / 32u + n) % words;
    var bit = 1u << (start % 32u);  // a guess; neighbours guess differently and so seldom collide
    loop {
      let before = atomicAnd(&free_slots[word], ~bit);
      if ((before & bit) != 0u) {
        return i32(word * 32u + firstTrailingBit(bit));
      }
      if (before == 0u) {
        break;
      }
      bit = 1u << firstTrailingBit(before);
    }
  }
  return -1;
}

fn push(slot: u32) {
  let bit = 1u << (slot % 32u);
  let before = atomicOr(&free_slots[slot / 32u], bit);
  if ((before & bit) != 0u) {
    atomicAdd(&report.errors, 1u);
  }
}

// As pool-unsafe.wgsl: three invocations; with one free slot exactly one gets it.
@compute @workgroup_size(3)
fn take_one(@builtin(local_invocation_index) lane: u32) {
  got[lane] = pop(lane);
}

// Everybody pops three times and gives back what it has, save the last slot of the even ones.
@compute @workgroup_size(32)
fn churn(@builtin(global_invocation_id) id: vec3u) {
  var held = -1;
  for (var round = 0u; round < 3u; round++) {
    held = pop(id.x);
    let keep = round == 2u && id.x % 2u == 0u;
    if (held >= 0 && !keep) {
      push(u32(held));
      held = -1;
    }
  }
  got[id.x] = held;
}

// How the slots are shared out depends on the schedule; that each is either free or held once does not.
@compute @workgroup_size(1)
fn audit() {
  for (var word = 0u; word < arrayLength(&free_slots); word++) {
    var bits = atomicLoad(&free_slots[word]);
    for (var i = 0u; i < arrayLength(&got); i++) {
      if (got[i] < 0 || u32(got[i]) / 32u != word) {
        continue;
      }
      let bit = 1u << (u32(got[i]) % 32u);
      if ((bits & bit) != 0u) {
        atomicAdd(&report.errors, 1u);
      }
      bits |= bit;
    }
    report.accounted += countOneBits(bits);
  }
}
