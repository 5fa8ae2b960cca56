/** Titles of the edits that a diagnostic offers. */
export const FIX_TITLES = {
  "replace-with": "replace with ‘{text}’",
  insert: "insert ‘{text}’",
  remove: "remove ‘{text}’",
  "add-braces": "put the body in braces",
  "insert-default": "add a ‘default’ clause",
  "make-read-write": "declare ‘{name}’ with ‘var<storage, read_write>’",
  "insert-directive": "write ‘{text}’ at the top of the module",
  "insert-address-of": "pass the address: ‘&{argument}’",
  "insert-indirection": "assign what it points to: ‘*{name}’",
  "declare-var": "declare ‘{name}’ with ‘var’",
  "declare-override": "declare ‘{name}’ with ‘override’",
  "declare-let": "declare ‘{name}’ with ‘let’",
  "make-atomic": "make ‘{name}’ atomic",
  "insert-behind-line": "insert ‘{text}’ after line {line}",
  "insert-behind-lines": "insert ‘{text}’ after each of the lines {lines}",
  "atomic-load": "read it with atomicLoad(&{name})",
} as const satisfies Readonly<Record<string, string>>;
