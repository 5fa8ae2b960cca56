fn total() -> f32 {
  let sum = 0.0;
  for (var i = 0; i < 4; i++) {
    sum += f32(i);
  }
  return sum;
}
