fn fade(a: f32, b: f32, t: f32) -> f32 {
  return lerp(a, b, saturate(t));
}
