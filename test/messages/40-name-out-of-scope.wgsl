fn last(n: u32) -> u32 {
  for (var i = 0u; i < n; i++) {
    let found = i;
  }
  return found;
}
