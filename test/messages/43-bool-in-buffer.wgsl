struct Options {
  fast: bool,
  rounds: u32,
}
@group(0) @binding(0) var<uniform> options: Options;
