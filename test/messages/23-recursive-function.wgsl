fn factorial(n: u32) -> u32 {
  if (n < 2u) {
    return 1u;
  }
  return n * factorial(n - 1u);
}
