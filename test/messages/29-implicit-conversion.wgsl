fn area(count: u32, size: f32) -> f32 {
  return count * size;
}
