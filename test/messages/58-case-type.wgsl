fn name(kind: u32) -> u32 {
  switch (kind) {
    case -1: { return 1u; }
    default: { return 0u; }
  }
}
