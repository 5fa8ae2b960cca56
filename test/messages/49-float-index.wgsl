fn pick(values: array<f32, 4>, at: f32) -> f32 {
  return values[at * 4.0];
}
