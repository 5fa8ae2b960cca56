// Append to a shared list, then work on it in a dispatch that is as large as the list, with no word from the host.
// Three dispatches: `append` fills the list, `plan` makes the count trustworthy and sizes the third, `consume` uses both.
const SIZE = 64u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> list_length: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> dispatch_size: vec3u;
@group(0) @binding(4) var<storage, read_write> total: atomic<u32>;

// The old value that atomicAdd returns is a slot that no other invocation gets.
fn append_to_list(value: u32) {
  let slot = atomicAdd(&list_length, 1u);
  // The guard: the counter goes on counting when the list is full.
  if (slot < arrayLength(&list)) {
    list[slot] = value;
  }
}

@compute @workgroup_size(SIZE)
fn append(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values) && values[id.x] % 2u == 1u) {
    append_to_list(values[id.x]);
  }
}

// Up to here `list_length` counts the attempts; from here on it is the number of elements in the list.
@compute @workgroup_size(1)
fn plan() {
  let stored = min(atomicLoad(&list_length), arrayLength(&list));
  atomicStore(&list_length, stored);
  dispatch_size = vec3u((stored + SIZE - 1u) / SIZE, 1u, 1u);
}

// `dispatch_size` must not be used here: a buffer cannot be written by a dispatch that takes its size from it.
@compute @workgroup_size(SIZE)
fn consume(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < atomicLoad(&list_length)) {
    atomicAdd(&total, list[id.x]);
  }
}
