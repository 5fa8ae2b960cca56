fn is_set(flags: u32, bit: u32) -> bool {
  return flags & bit != 0u;
}
