fn name(kind: u32) -> u32 {
  var result = 0u;
  switch (kind) {
    case 1u: { result = 10u; }
    case 2u: { result = 20u; }
  }
  return result;
}
