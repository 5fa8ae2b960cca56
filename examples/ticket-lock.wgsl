// A ticket lock, taken by one leader per workgroup: blocks in order of their tickets learn where their output begins.
//
// - One leader: invocations that run in lockstep must not wait for each other, a whole workgroup can wait for another.
// - Tickets in order of arrival, and the block is the ticket, not the workgroup's id: whoever is waited for has started.
//   WebGPU does not promise even then that it goes on, so the patience is limited: a gap in the result, never a hang.
// - The word that says whose turn it is also carries the protected sum: relaxed atomics order no second location.
const SIZE = 64u;
const PATIENCE = 1000000u;
const TURN_SHIFT = 24u;  // the upper 8 bits: the turn (at most 255 blocks); the lower 24: the sum of all blocks before
const SUM_MASK = (1u << TURN_SHIFT) - 1u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> next_ticket: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> serving: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> offsets: array<u32>;

var<workgroup> ticket: u32;
var<workgroup> block_sum: atomic<u32>;

@compute @workgroup_size(SIZE)
fn offset_blocks(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    ticket = atomicAdd(&next_ticket, 1u);
  }
  let block = workgroupUniformLoad(&ticket);

  let i = block * SIZE + lane;
  if (i < arrayLength(&values)) {
    atomicAdd(&block_sum, values[i]);
  }
  workgroupBarrier();

  if (lane == 0u) {
    for (var spins = 0u; spins < PATIENCE; spins++) {
      let now = atomicLoad(&serving);
      if (now >> TURN_SHIFT == block) {
        offsets[block] = now & SUM_MASK;
        // Adds to the sum and passes the turn on, in one step.
        atomicAdd(&serving, (1u << TURN_SHIFT) + atomicLoad(&block_sum));
        break;
      }
    }
  }
}
