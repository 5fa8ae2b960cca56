/** Why a name is not changed to another. */
export const RENAME_NOTES = {
  "rename-nothing": "there is nothing here that this text declares",
  "rename-predeclared": "‘{name}’ is predeclared by WGSL and keeps its name",
  "rename-no-name": "‘{name}’ is no name: it begins with a letter or ‘_’, and goes on with letters, digits and ‘_’",
  "rename-underscore": "‘{name}’ is no name: neither ‘_’ alone nor two of them at the start are allowed",
  "rename-keyword": "‘{name}’ is a keyword of WGSL",
  "rename-reserved": "‘{name}’ is reserved by WGSL",
  "rename-clash": "‘{name}’ is declared already in the same place",
  "rename-captures": "‘{name}’ would be another one than before",
  "rename-captured": "‘{old}’ would be taken for another ‘{name}’",
} as const satisfies Readonly<Record<string, string>>;

export type RenameCode = keyof typeof RENAME_NOTES;
