import type { RenameCode } from "../catalogue-ide.ts";

/** Why a name is not changed to another, in Spanish. */
export const RENAME_NOTES_ES = {
  "rename-nothing": "aquí no hay nada que este texto declare",
  "rename-predeclared": "‘{name}’ está predeclarado por WGSL y conserva su nombre",
  "rename-no-name": "‘{name}’ no es un nombre: empieza por una letra o por ‘_’ y sigue con letras, cifras y ‘_’",
  "rename-underscore": "‘{name}’ no es un nombre: no puede ser solo ‘_’ ni empezar por dos",
  "rename-keyword": "‘{name}’ es una palabra clave de WGSL",
  "rename-reserved": "‘{name}’ está reservado por WGSL",
  "rename-clash": "‘{name}’ ya está declarado en el mismo sitio",
  "rename-captures": "‘{name}’ pasaría a ser otra cosa",
  "rename-captured": "‘{old}’ se tomaría por otro ‘{name}’",
} as const satisfies Readonly<Record<RenameCode, string>>;
