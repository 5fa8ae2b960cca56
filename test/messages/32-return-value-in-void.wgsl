fn update(x: f32) {
  return x * 2.0;
}
