fn twice(x: f32) -> f32 {
  let y = x * 2.0
  return y;
}
