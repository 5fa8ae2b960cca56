// A row of a separable blur with nine taps, borders clamped.
@group(0) @binding(0) var<storage> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> blurred: array<f32>;
const WIDTH = 1024i;
const WEIGHTS = array<f32, 9>(0.05, 0.09, 0.12, 0.15, 0.18, 0.15, 0.12, 0.09, 0.05);
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = i32(id.x);
  let row = i32(id.y) * WIDTH;
  var weights = WEIGHTS;
  var sum = 0.0;
  for (var k = -4; k <= 4; k++) {
    sum += weights[k + 4] * source[row + clamp(x + k, 0, WIDTH - 1)];
  }
  blurred[row + x] = sum;
}
