import type { RenameCode } from "../catalogue-ide.ts";

/** Why a name is not changed to another, in Turkish. */
export const RENAME_NOTES_TR = {
  "rename-nothing": "burada bu metnin bildirdiği bir şey yok",
  "rename-predeclared": "‘{name}’ WGSL tarafından önceden bildirilmiştir ve adını korur",
  "rename-no-name": "‘{name}’ bir ad değil: ad bir harfle ya da ‘_’ ile başlar, harfler, rakamlar ve ‘_’ ile sürer",
  "rename-underscore": "‘{name}’ bir ad değil: ne tek başına ‘_’ ne de başta iki tanesi olabilir",
  "rename-keyword": "‘{name}’ WGSL dilinin bir anahtar sözcüğüdür",
  "rename-reserved": "‘{name}’ WGSL için ayrılmıştır",
  "rename-clash": "‘{name}’ aynı yerde zaten bildirilmiş",
  "rename-captures": "‘{name}’ öncekinden başka bir şey olurdu",
  "rename-captured": "‘{old}’ başka bir ‘{name}’ sanılırdı",
} as const satisfies Readonly<Record<RenameCode, string>>;
