fn sum(n: u32) -> f32 {
  let weights = array(0.25, 0.5, 0.25);
  weights[n] = 1.0;
  return weights[n];
}
