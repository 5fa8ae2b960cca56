struct List {
  items: array<u32>,
  count: u32,
}
@group(0) @binding(0) var<storage, read_write> list: List;
