fn sum(n: u32) -> f32 {
  var samples: array<f32, n>;
  return samples[0];
}
