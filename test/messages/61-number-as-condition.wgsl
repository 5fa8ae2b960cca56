fn any_set(flags: u32) -> bool {
  if (flags) {
    return true;
  }
  return false;
}
