var counter: u32 = 0u;

fn next() -> u32 {
  counter += 1u;
  return counter;
}
