import type { UNIFORMITY, UNIFORMITY_NOTES } from "../catalogue-uniformity.ts";

/** Behaviors, aliases and uniformity in Spanish. */
export const UNIFORMITY_ES = {
  "missing-return": "‘{name}’ devuelve un valor, así que todo camino por ella tiene que terminar en un ‘return’",
  "endless-loop": "nada sale de este bucle; hace falta en él un ‘break’ o un ‘return’ al que se pueda llegar",
  "aliased-arguments":
    "‘{function}’ recibe ‘{name}’ dos veces y escribe en ella; hacen falta punteros a variables distintas",
  "aliased-variable":
    "‘{function}’ usa ‘{name}’ directamente y por este puntero, y escribe en ella; hace falta un puntero a otra variable",
  "barrier-uniformity":
    "a ‘{name}’ tienen que llegar todas las invocaciones del workgroup o ninguna, pero el flujo de control puede ser aquí distinto entre ellas",
  "barrier-argument-uniformity":
    "el puntero que recibe ‘{name}’ tiene que ser el mismo para todas las invocaciones del workgroup",
  "derivative-uniformity":
    "‘{name}’ compara invocaciones vecinas, así que tienen que llegar todas o ninguna, pero el flujo de control puede ser aquí distinto entre ellas",
  "subgroup-uniformity":
    "a ‘{name}’ tienen que llegar todas las invocaciones del {scope} o ninguna, pero el flujo de control puede ser aquí distinto entre ellas",
  "subgroup-argument-uniformity":
    "el argumento ‘{parameter}’ de ‘{name}’ tiene que ser el mismo para todas las invocaciones del {scope}",
} as const satisfies Readonly<Record<keyof typeof UNIFORMITY, string>>;

export const UNIFORMITY_NOTES_ES = {
  "ends-here": "el control llega aquí sin un ‘return’",
  "no-else": "donde esto no se cumple, el control sigue sin un ‘return’",
  "other-argument": "‘{name}’ se pasa también aquí",
  "written-through-pointer": "‘{function}’ escribe aquí por el puntero",
  "read-through-pointer": "‘{function}’ lee aquí por el puntero",
  "used-by-name": "‘{function}’ {verb} ‘{name}’ aquí",
  "under-condition": "que una invocación llegue ahí depende de esto",
  "under-selector": "qué caso toma una invocación depende de esto",
  "left-side-decides": "el lado derecho de ‘{operator}’ solo se evalúa donde el izquierdo lo pide",
  "loop-count": "esto decide para cada invocación cuántas vueltas da el bucle",
  "leaves-here": "algunas invocaciones salen por este ‘{jump}’ mientras otras siguen",
  "depends-on-condition": "el valor depende de que esto se cumpla",
  "assigned-here": "‘{name}’ recibe aquí su valor",
  "left-by-call": "‘{function}’ deja en ‘{name}’ un valor que puede ser distinto entre invocaciones",
  "returned-by-call": "lo que devuelve ‘{function}’ puede ser distinto entre invocaciones",
  "argument-differs": "el argumento para ‘{name}’ puede ser distinto entre invocaciones",
  "affects-too": "lo mismo vale aquí para ‘{name}’",
  "source-builtin-value": "‘{name}’ es ‘{builtin}’, distinto en cada invocación",
  "source-input": "‘{name}’ es una entrada del shader de tipo {stage}, que puede ser distinta entre invocaciones",
  "source-parts":
    "‘{name}’ también tiene ‘{part}’, que es distinto entre invocaciones; los miembros de un parámetro no se separan",
  "source-storage":
    "‘{name}’ es un buffer que el shader puede escribir, así que las invocaciones pueden leer valores distintos",
  "source-workgroup": "‘{name}’ está en memoria de workgroup, donde las invocaciones pueden leer valores distintos",
  "source-private": "‘{name}’ es privada, cada invocación tiene la suya",
  "source-pointer":
    "‘{name}’ apunta a memoria de {space} que se puede escribir, así que las invocaciones pueden leer valores distintos",
  "source-call": "el resultado de ‘{name}’ puede ser distinto entre invocaciones",
  "source-uniform-in-subgroup": "‘{name}’ es igual dentro de un subgroup pero puede ser distinto dentro del workgroup",
  "use-uniform-load": "‘workgroupUniformLoad(&{expression})’ lee un mismo valor para todas las invocaciones",
  "declare-read": "nada escribe ‘{name}’, así que puede ser ‘var<storage, read>’, que cuenta como uniforme",
  "share-through-workgroup":
    "una invocación puede copiar ‘{expression}’ a memoria de workgroup, de donde ‘workgroupUniformLoad’ lo lee para todas",
  "do-once":
    "si se puede hacer una vez para el workgroup, que una invocación lo haga, ponga el resultado en memoria de workgroup y se lea con ‘workgroupUniformLoad’",
  "pass-instead": "lo que es igual para todas se puede pasar como parámetro, en vez de por ‘{name}’",
  "own-parameter": "tomar ‘{parts}’ como parámetro propio, que cuenta como uniforme",
  "guard-the-work":
    "que todas las invocaciones lleguen a ‘{name}’: poner la condición alrededor del trabajo, no de la llamada",
  "no-early-exit":
    "que todas las invocaciones lleguen a ‘{name}’: en lugar de salir antes, poner el trabajo bajo una condición propia",
  "same-count":
    "que todas las invocaciones den las mismas vueltas y que la condición rodee el trabajo dentro del bucle",
  "hoist-call": "llamar a ‘{name}’ antes de que el flujo se separe y usar el resultado donde haga falta",
  "explicit-level": "‘{other}’ no calcula derivadas y se puede llamar en cualquier sitio",
  "filter-rule":
    "‘@diagnostic(off, {rule})’ lo permite, pero donde las invocaciones difieren el resultado no significa nada",
} as const satisfies Readonly<Record<keyof typeof UNIFORMITY_NOTES, string>>;
