fn previous() -> u32 {
  var step: u32 = -1;
  return step;
}
