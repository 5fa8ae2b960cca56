fn next(start: u32) -> u32 {
  var n = start;
  let before = n++;
  return before + n;
}
