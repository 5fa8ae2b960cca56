fn last() -> f32 {
  let weights = array(0.25, 0.5, 0.25);
  return weights[3];
}
