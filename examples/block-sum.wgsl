// The sum of each block of 256 values, as a tree in workgroup memory: 128 additions, then 64, 32, ...
const SIZE = 256u;
const_assert (SIZE & (SIZE - 1u)) == 0u;  // halving meets every element only if SIZE is a power of two

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> scratch: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn sum_blocks(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // An `if`, not `select`: select evaluates both values, so the last block would read past the end. No `return` either:
  // the invocations without a value must reach the barriers too. Their element stays at zero, as workgroup memory starts.
  if (id.x < arrayLength(&values)) {
    scratch[lane] = values[id.x];
  }
  workgroupBarrier();

  for (var stride = SIZE / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) {
      scratch[lane] += scratch[lane + stride];
    }
    workgroupBarrier();
  }

  if (lane == 0u) {
    sums[workgroup.x] = scratch[0];
  }
}
