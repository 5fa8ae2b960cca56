/** A function that finds what belongs to an object once, and remembers it for as long as the object lives. */
export function onceFor<Key extends WeakKey, Value extends {}>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = find(key);
      known.set(key, value);
    }
    return value;
  };
}
