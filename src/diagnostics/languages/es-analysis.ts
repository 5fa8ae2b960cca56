import type { ANALYSIS, ANALYSIS_PHRASES } from "../catalogue-analysis.ts";
import { ANALYSIS_TYPES_ES } from "./es-analysis-types.ts";

/** What analysis says, in Spanish. */
export const ANALYSIS_ES = {
  ...ANALYSIS_TYPES_ES,

  "unresolved-identifier": "‘{name}’ no está declarado",
  "duplicate-declaration":
    "‘{name}’ se declara dos veces en un mismo ámbito; un nombre solo se puede volver a declarar en un bloque interior",
  "declaration-cycle": "‘{name}’ depende de sí mismo",
  "recursive-function":
    "‘{name}’ se llama a sí misma; WGSL no tiene recursión, un bucle con una pila propia puede sustituirla",

  "unknown-extension": "no hay ninguna extensión ‘{name}’ que activar",
  "feature-missing": "la extensión ‘{name}’ necesita la característica ‘{feature}’ del dispositivo, que no está",
  "unknown-language-extension": "no hay ninguna extensión del lenguaje ‘{name}’",
  "language-extension-missing": "la extensión del lenguaje ‘{name}’ no está disponible aquí",
  "extension-not-enabled": "‘{name}’ necesita ‘enable {extension};’ al principio del módulo",
  "language-feature": "‘{name}’ necesita la característica del lenguaje ‘{feature}’, que no está disponible aquí",
  "unknown-severity": "‘{name}’ no es un nivel de gravedad; lo son ‘error’, ‘warning’, ‘info’ y ‘off’",
  "unknown-diagnostic-rule": "no hay ninguna regla de diagnóstico ‘{rule}’, así que este filtro no hace nada",
  "conflicting-filter": "la regla ‘{rule}’ se pone aquí a ‘{severity}’ y antes a ‘{earlier}’",
  "duplicate-filter": "la regla ‘{rule}’ se filtra dos veces en un mismo sitio",

  "unknown-attribute": "no hay ningún atributo ‘@{name}’",
  "misplaced-attribute": "‘@{name}’ no puede ir aquí (lugar: {place}); va así: {accepted}",
  "duplicate-attribute": "‘@{name}’ aparece dos veces",
  "attribute-arguments": "‘@{name}’ toma {wanted} argumentos",
  "attribute-type": "el argumento de ‘@{name}’ tiene que ser i32 o u32, no ‘{actual}’",
  "attribute-not-constant": "el argumento de ‘@{name}’ tiene que ser una expresión constante, y ‘{argument}’ no lo es",
  "attribute-value": "el argumento de ‘@{name}’ tiene que ser al menos {least}, no {value}",
  "attribute-word": "el argumento de ‘@{name}’ tiene que ser un nombre",
  "override-id-range": "el id {value} es demasiado grande: los ids van de 0 a 65535",
  "duplicate-override-id": "el id {id} de ‘{name}’ ya lo tiene otro override",
  "align-power-of-two": "una alineación tiene que ser potencia de dos, y {align} no lo es",
  "align-too-small": "la alineación {align} no es múltiplo de {required}, que ‘{type}’ necesita de todos modos",
  "size-too-small": "‘@size({size})’ es demasiado pequeño: ‘{type}’ ocupa {least} bytes",
  "size-of-runtime-sized": "‘@size’ necesita un tipo de tamaño conocido, y ‘{type}’ no lo tiene",

  "several-stages": "‘{name}’ solo puede ser punto de entrada de una etapa",
  "compute-only-attribute": "‘@{name}’ es para puntos de entrada de cómputo, y ‘{function}’ no lo es",
  "no-workgroup-size": "el punto de entrada de cómputo ‘{name}’ necesita ‘@workgroup_size(…)’",
  "workgroup-size-types": "los argumentos de ‘@workgroup_size’ tienen que ser todos i32 o todos u32, no {types}",
  "subgroup-size-power-of-two": "el tamaño de un subgroup tiene que ser potencia de dos, y {size} no lo es",
  "subgroup-size-divides": "el grupo de trabajo mide {width} en x, que no es múltiplo del tamaño de subgroup {size}",
  "no-io-attribute":
    "‘{name}’, de tipo ‘{type}’, necesita ‘@builtin(…)’ o ‘@location(…)’, porque ‘{function}’ es un punto de entrada",
  "io-attribute-not-on-entry-point":
    "‘@{name}’ es para puntos de entrada y miembros de estructuras, y esta función no es un punto de entrada",
  "builtin-and-location": "‘{name}’ puede tener ‘@builtin’ o ‘@location’, pero no ambos",
  "unknown-builtin-value": "no hay ningún valor incorporado ‘{name}’",
  "builtin-value-type": "el valor incorporado ‘{name}’ es de tipo ‘{expected}’, no ‘{actual}’",
  "builtin-value-stage": "‘{name}’ no puede usarse como {used}; se usa como {accepted}",
  "duplicate-builtin-value": "el valor incorporado ‘{name}’ aparece dos veces",
  "depth-mode":
    "‘{mode}’ no puede ir aquí: solo ‘frag_depth’ toma un segundo argumento, ‘less’ o ‘greater’; ‘{name}’ no",
  "location-type": "‘@location’ es para escalares y vectores numéricos, no para ‘{type}’",
  "location-in-compute":
    "un shader de cómputo no tiene locations, así que ‘{name}’ no puede llevar una; leer de un buffer",
  "duplicate-location": "la location {location} se usa dos veces",
  "needs-location": "‘@{name}’ necesita un ‘@location’ a su lado",
  "blend-src-value": "el argumento de ‘@blend_src’ tiene que ser 0 o 1, no {value}",
  "blend-src-stage": "‘@blend_src’ es para salidas de shaders de fragmentos, así que no para ‘{name}’",
  "dual-source-blending":
    "con ‘@blend_src’, ‘{name}’ tiene que tener exactamente dos locations: ‘@location(0) @blend_src(0)’ y ‘@location(0) @blend_src(1)’",
  "dual-source-types":
    "las dos fuentes de mezcla de ‘{name}’ tienen que ser de un mismo tipo, no ‘{first}’ y ‘{second}’",
  "interpolation-type": "‘{name}’ no es un tipo de interpolación; lo son ‘perspective’, ‘linear’ y ‘flat’",
  "interpolation-sampling": "‘{name}’ no va con ‘{type}’; valen: {accepted}",
  "integer-not-flat": "‘{name}’ es del tipo entero ‘{type}’ y necesita ‘@interpolate(flat)’",
  "invariant-without-position": "‘@invariant’ solo va con ‘@builtin(position)’",
  "no-position": "el punto de entrada de vértices ‘{name}’ tiene que devolver ‘@builtin(position)’",
  "compute-returns": "el punto de entrada de cómputo ‘{name}’ no puede devolver nada; escribir en un storage buffer",
  "wrong-stage": "‘{what}’ es para shaders de tipo {stages}, y lo alcanza el shader ‘{function}’, de tipo {stage}",
  "variable-wrong-stage": "‘{name}’ está {what}, que el shader ‘{function}’, de tipo {stage}, no puede usar",
  "duplicate-binding":
    "‘{name}’ y ‘{other}’ están ambos en el grupo {group}, binding {binding}, y ‘{function}’ usa los dos",
  "several-immediates": "‘{name}’ usa los immediates ‘{first}’ y ‘{second}’; un punto de entrada puede usar uno",

  "unknown-override": "no hay ningún override ‘{name}’ al que dar un valor",
  "override-value": "{value} no es un valor para el override ‘{name}’ de tipo ‘{type}’",
  "override-missing":
    "el override ‘{name}’, que ‘{function}’ usa, no tiene valor por defecto ni se le dio ninguno: se le da con --override {name}=VALOR, ‘overrides’ en un archivo de lanzamiento o ‘constants’ de una pipeline",
  "workgroup-too-large": "el workgroup {size} de ‘{name}’ es demasiado grande: {limit}",
  "workgroup-storage-too-large": "‘{name}’ usa {bytes} bytes de memoria de workgroup, y son posibles {limit}",

  "parameter-count": "‘{name}’ tiene {given} parámetros, y son posibles {limit}",
  "parameter-type": "el parámetro ‘{name}’ no puede ser de tipo ‘{type}’; pasar un puntero",
  "atomic-parameter":
    "el parámetro ‘{name}’ no puede contener un atómico (‘{type}’); pasar un puntero, por ejemplo ‘ptr<workgroup, atomic<u32>>’",
  "pointer-parameter-space":
    "el puntero ‘{name}’ a memoria de {space} no puede ser parámetro sin la característica del lenguaje ‘unrestricted_pointer_parameters’",
  "return-type": "‘{name}’ no puede devolver ‘{type}’",
  "must-use-nothing": "‘@must_use’ no tiene sentido en ‘{name}’, que no devuelve nada",

  "assign-to-value": "‘{name}’ es un valor y no se le puede asignar; solo a lo que está en una ‘var’",
  "assign-to-pointer": "‘{name}’ es un puntero; para asignar a lo que apunta, escribir ‘*{name}’",
  "assign-to-swizzle":
    "‘{name}’ nombra varios componentes, a los que no se puede asignar a la vez; asignar a cada uno por separado",
  "write-to-read-only": "‘{name}’ está en memoria de {space} que solo se puede leer",
  "atomic-plain-write": "‘{name}’ es atómico (‘{type}’) y no se puede escribir como un valor normal; usar {wanted}",
  "atomic-plain-read":
    "‘{name}’ es atómico (‘{type}’) y no se puede leer como un valor normal; usar atomicLoad(&{name})",
  "atomic-copy":
    "‘{name}’, de tipo ‘{type}’, contiene atómicos y no se puede copiar entero; ir atómico por atómico con atomicLoad y atomicStore",
  "no-compound-operator": "‘{operator}’ no va con ‘{left}’ y ‘{right}’",
  "increment-type": "‘{operator}’ es para i32 y u32, y ‘{name}’ es de tipo ‘{type}’",
  "switch-selector-type": "el selector de ‘switch’ tiene que ser i32 o u32, no ‘{type}’",
  "case-type": "este caso es de tipo ‘{actual}’, y el selector, de ‘{expected}’",
  "duplicate-case": "el caso {value} está dos veces",
  "no-default": "‘switch’ necesita una cláusula ‘default’",
  "duplicate-default": "‘default’ está dos veces",
  "switch-selectors": "este ‘switch’ tiene {given} selectores de caso, y son posibles {limit}",
  "break-outside": "‘break’ solo puede estar en un bucle o en un ‘switch’",
  "break-from-continuing": "‘break’ no puede salir de un bloque ‘continuing’; terminarlo con ‘break if …;’",
  "continue-outside": "‘continue’ solo puede estar en un bucle",
  "continue-in-continuing": "‘continue’ no puede estar en un bloque ‘continuing’",
  "continue-skips-declaration":
    "‘continue’ se salta la declaración de ‘{name}’, que el bloque ‘continuing’ usa; declararla antes",
  "return-in-continuing": "‘return’ no puede estar en un bloque ‘continuing’",
  "return-without-value": "‘{name}’ tiene que devolver un valor de tipo ‘{type}’",
  "return-value-not-allowed":
    "‘{name}’ no devuelve nada, así que ‘return’ no toma valor; dar a la función un tipo de retorno con ‘->’",
  "value-not-used": "este valor de ‘{name}’ no se usa; asignarlo, o asignarlo a ‘_’",
  "must-use": "el resultado de ‘{name}’ no se usa, y la llamada no hace nada más; asignarlo, o asignarlo a ‘_’",
  "const-assert-failed": "la afirmación ‘{condition}’ no se cumple",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS, string>>;

export const ANALYSIS_PHRASES_ES = {
  "a-function": "una función",
  "a-texel-format": "un formato de texel como {example}",
  "a-builtin-function": "una función incorporada",
  "an-enumerant": "un enumerante",
  "a-variable": "una variable",
  "a-value": "un valor",
  "an-override": "un override",
  parameter: "un parámetro",
  "condition-of": "la condición de ‘{keyword}’",
  "return-value-of": "el valor de retorno de ‘{name}’",
  "parameter-of": "el parámetro ‘{parameter}’ de ‘{name}’",
  "member-of": "el miembro ‘{member}’ de ‘{name}’",
  "element-of": "el elemento {index} de ‘{name}’",
  "case-selector": "un selector de caso",
  "default-of": "el valor por defecto del override ‘{name}’",
  "const-initializer-of": "el inicializador de la const ‘{name}’",
  "private-initializer-of": "el inicializador de la variable privada ‘{name}’",
  "argument-of-attribute": "el argumento de ‘@{name}’",
  "in-functions": "en funciones",
  "at-module-scope": "en el ámbito del módulo",
  "in-workgroup-memory": "en memoria de workgroup",
  "written-buffer": "en un storage buffer que se puede escribir",
  "written-texture": "en una textura de almacenamiento que se puede escribir",
  reads: "lee",
  writes: "escribe",
  components: "{count} componentes",
  "compare-exchange-loop": "un bucle de comparación e intercambio",
  "workgroup-limit": "son posibles hasta {most}, {invocations} invocaciones en total",
  "one-argument": "1 argumento",
  "several-arguments": "{count} argumentos",
  "one-or-other": "{first} o {second}",
  "size-unknown": "su tamaño se tiene que conocer al crear el módulo",
  "handle-alone": "cada textura y cada sampler es una variable propia",
  "module-made": "al crear el módulo",
  "before-run": "antes de que el shader se ejecute",
  "declare-atomic": "declararlo ‘atomic<u32>’ o ‘atomic<i32>’",
  "take-one-atomic": "tomar uno de sus atómicos: ‘{place}’",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS_PHRASES, string>>;
