// One value out of many, in two dispatches of the same entry point: workgroups of one dispatch cannot wait for each other,
// but the next dispatch sees all that the last one wrote. First 16 workgroups turn `values` into 16 partial sums, then
// one workgroup turns these into the total; the launch binds other buffers to `source` and `sums` each time.
const SIZE = 64u;
const_assert (SIZE & (SIZE - 1u)) == 0u;

@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> scratch: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn reduce(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  // Any length will do: each invocation first adds up its share in a variable of its own.
  var sum = 0u;
  for (var i = id.x; i < arrayLength(&source); i += workgroups.x * SIZE) {
    sum += source[i];
  }
  scratch[lane] = sum;
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
