fn half(x: f32) -> f32 {
  const y = x / 2.0;
  return y;
}
