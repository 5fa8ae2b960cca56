fn mask(bit: i32) -> u32 {
  return 1u << bit;
}
