fn half(x: f16) -> f16 {
  return x * 0.5h;
}
