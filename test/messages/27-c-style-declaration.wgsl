fn twice(x: f32) -> f32 {
  float y = x * 2.0;
  return y;
}
