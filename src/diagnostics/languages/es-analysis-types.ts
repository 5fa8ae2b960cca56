import type { ANALYSIS_TYPES } from "../catalogue-analysis-types.ts";

/** What analysis says of types, expressions and memory, in Spanish. */
export const ANALYSIS_TYPES_ES = {
  "not-a-type": "‘{name}’ es {what}, y aquí hace falta un tipo",
  "no-template-expected": "‘{name}’ no toma argumentos de plantilla",
  "template-count": "‘{name}’ necesita otros argumentos de plantilla; se escribe ‘{shape}’",
  "enumerant-expected": "‘{name}’ no puede ir aquí; puede ir {accepted}",
  "bad-component-type": "‘{name}’ no puede estar hecho de ‘{actual}’; son posibles {accepted}",
  "atomic-of-float":
    "no hay ‘{actual}’ atómico; los atómicos son atomic<u32> y atomic<i32>: guardar los bits del flotante en un atomic<u32> (bitcast) y actualizarlo en un bucle con atomicCompareExchangeWeak",
  "atomic-element":
    "no hay ‘{actual}’ atómico; los atómicos son atomic<u32> y atomic<i32>, solos o como elementos de arrays y miembros de estructuras",
  "array-element": "‘{actual}’ no puede ser elemento de un array; {why}",
  "count-type": "el tamaño de ‘{what}’ tiene que ser i32 o u32, no ‘{actual}’",
  "count-not-constant":
    "el tamaño de ‘{what}’ se tiene que conocer antes de ejecutar el shader, y ‘{name}’ no se conoce; usar una const o un override",
  "count-not-positive": "el tamaño de ‘{what}’ tiene que ser mayor que 0, no {count}",
  "buffer-size-unit": "el tamaño de un buffer tiene que ser múltiplo de {unit} bytes, y {size} no lo es",
  "nesting-depth": "‘{name}’ se anida en más de {limit} niveles",
  "type-too-large": "‘{type}’ ocupa {size} bytes, más de lo que los offsets pueden contar",
  "array-elements":
    "‘{type}’ es demasiado largo: fuera de los storage y uniform buffers, un array tiene hasta {limit} elementos",
  "empty-struct": "la estructura ‘{name}’ necesita al menos un miembro",
  "struct-members": "la estructura ‘{name}’ tiene {given} miembros, y son posibles {limit}",
  "duplicate-member": "‘{struct}’ tiene dos miembros ‘{name}’",
  "member-type": "el miembro ‘{name}’ no puede ser de tipo ‘{type}’",
  "member-override-sized":
    "el miembro ‘{name}’ no puede ser de tipo ‘{type}’: los arrays cuyo tamaño da un override son para variables de workgroup, en el nivel más externo",
  "member-runtime-sized": "el miembro ‘{name}’ no puede ser de tipo ‘{type}’, que termina en un array sin tamaño",
  "runtime-array-not-last":
    "el miembro ‘{name}’ es un array sin tamaño (‘{type}’), que solo puede ser el último miembro",
  "no-type": "‘{name}’ necesita un tipo o un valor inicial",
  "type-mismatch": "{where} necesita ‘{expected}’, y esto es ‘{actual}’",
  "value-type": "‘{name}’ no puede ser una ‘{keyword}’ de tipo ‘{type}’",
  "override-type": "el override ‘{name}’ tiene que ser un escalar, no ‘{type}’",
  "not-constant": "{what} se tiene que conocer {when}",
  "no-address-space":
    "‘{name}’, de tipo ‘{type}’, necesita un address space: ‘var<private>’, ‘var<workgroup>’, ‘var<uniform>’, ‘var<storage>’ o ‘var<immediate>’",
  "address-space-scope": "las variables del address space ‘{space}’ se declaran {where}",
  "access-mode-not-allowed": "un modo de acceso solo se puede dar para ‘storage’, no para ‘{space}’",
  "storage-write-only": "un storage buffer no puede ser solo ‘write’; son posibles ‘read’ y ‘read_write’",
  "handle-address-space":
    "‘{type}’ no puede estar en el address space ‘{space}’; texturas y samplers se declaran con ‘var’ a secas en el ámbito del módulo",
  "pointer-in-variable":
    "‘{type}’ no se puede almacenar, tampoco en memoria de ‘{space}’; dar nombre a un puntero con ‘let’ o pasarlo como parámetro",
  "not-constructible":
    "‘{type}’ no puede estar en memoria de ‘{space}’, donde los tamaños se conocen al crear el módulo",
  "workgroup-type":
    "‘{type}’ no puede estar en memoria de ‘{space}’; su tamaño se tiene que conocer al crear la pipeline",
  "uniform-type":
    "‘{type}’ no puede estar en memoria de ‘{space}’, donde un array necesita tamaño; dárselo, o usar var<storage>",
  "bool-in-buffer": "‘{type}’ contiene un bool, que no puede estar en memoria de ‘{space}’; usar u32 con 0 y 1",
  "override-sized-outside-workgroup":
    "el tamaño de ‘{type}’ lo da un override, lo que solo admiten variables de workgroup, no de ‘{space}’; una const puede darlo en todas partes",
  "immediate-type":
    "un immediate no puede ser de tipo ‘{type}’; son posibles escalares, vectores, matrices y estructuras sin arrays",
  "immediate-size": "el immediate ‘{name}’ ocupa {size} bytes, y son posibles {limit}",
  "atomic-address-space":
    "‘{type}’ no puede estar en memoria de ‘{space}’: los atómicos viven en var<workgroup> y en var<storage, read_write>",
  "atomic-read-only": "‘{type}’ necesita un buffer que se pueda escribir: var<storage, read_write>",
  "initializer-not-allowed":
    "‘{name}’ está en memoria de ‘{space}’ y no puede tener valor inicial; escribirlo en el shader",
  "resource-without-binding": "el recurso ‘{name}’ necesita tanto ‘@group(…)’ como ‘@binding(…)’",
  "binding-on-non-resource": "‘@{attribute}’ es para recursos, y ‘{name}’ está en memoria de ‘{space}’",
  "member-offset":
    "‘{name}’ está en el byte {offset}, y la memoria de ‘{space}’ necesita un múltiplo de {required}; usar ‘@align({required})’",
  "array-stride":
    "los elementos de ‘{type}’ están a {stride} bytes unos de otros, y la memoria de ‘{space}’ necesita un múltiplo de {required}",
  "uniform-struct-distance":
    "‘{name}’ empieza {distance} bytes detrás de la estructura ‘{previous}’, y la memoria uniform necesita {required}; usar ‘@align(16)’",
  "evaluation-error": "esto no se puede calcular: {problem}",
  "no-value": "‘{name}’ no da ningún valor",
  "not-a-value-name": "‘{name}’ es {what}, y aquí hace falta un valor",
  "not-a-value": "‘{name}’, de tipo ‘{type}’, no se puede usar como valor",
  "runtime-array-value":
    "‘{name}’, de tipo ‘{type}’, no tiene un tamaño que se conozca ahora y no se puede usar entero; tomar un elemento, o un puntero con ‘&’",
  "no-unary-operator": "‘{operator}’ no va con ‘{type}’",
  "no-binary-operator": "‘{operator}’ no va con ‘{left}’ y ‘{right}’",
  "address-of-value":
    "‘{name}’ es un valor de tipo ‘{type}’ y no tiene dirección; solo la tiene lo que está en una ‘var’",
  "address-of-handle": "‘{name}’, de tipo ‘{type}’, no tiene dirección; pasarlo tal cual",
  "address-of-component": "‘{name}’ es un componente de un vector y no tiene dirección; tomar la del vector",
  "indirection-of-value": "‘*’ necesita un puntero, y ‘{name}’ es de tipo ‘{type}’",
  "pointer-composite-access":
    "‘{name}’ es un puntero; escribir ‘(*{name})’, porque la característica del lenguaje ‘pointer_composite_access’ no está disponible aquí",
  "pointer-argument-part":
    "‘{name}’ apunta a una parte de una variable, que no se puede pasar sin la característica del lenguaje ‘unrestricted_pointer_parameters’",
  "not-indexable": "‘{name}’, de tipo ‘{type}’, no tiene elementos",
  "index-type": "un índice tiene que ser i32 o u32, no ‘{type}’",
  "no-members": "‘{type}’ no tiene ningún miembro ‘{name}’",
  "unknown-member": "‘{type}’ no tiene ningún miembro ‘{name}’",
  "bad-swizzle":
    "‘{name}’ no nombra componentes de ‘{type}’; los nombran de una a cuatro letras de x, y, z, w o de r, g, b, a",
  "swizzle-past-end": "‘{type}’ no tiene componente ‘{letter}’",
  "not-callable": "‘{name}’ no es una función ni un tipo, así que no se puede llamar",
  "call-at-module-scope": "‘{name}’ no se puede llamar fuera de funciones",
  "entry-point-called": "‘{name}’ es un punto de entrada y no se puede llamar; llevar su cuerpo a una función propia",
  "argument-count": "‘{name}’ toma {wanted}, no {given}",
  "no-overload": "‘{name}’ no se puede llamar con {given}",
  "missing-address-of": "‘{name}’ necesita un puntero: escribir ‘&{argument}’",
  "not-atomic": "‘{name}’ necesita un puntero a un atómico, y ‘{argument}’ apunta a ‘{type}’; {way}",
  "no-constructor": "‘{name}’ no se puede formar a partir de {given}",
  "not-constructible-call": "no se puede formar un valor de tipo ‘{type}’",
  "construct-runtime-array":
    "no se puede formar un valor de tipo ‘{type}’, porque no tiene tamaño; dárselo, u omitir el tipo de los elementos",
  "array-constructor-elements": "este array tiene {given} elementos, y en una expresión son posibles {limit}",
  "buffer-view-type":
    "‘{name}’ no puede ver un buffer como ‘{type}’: solo son posibles tipos compartibles con el host y sin atómicos",
  "buffer-array-view-type":
    "‘bufferArrayView’ necesita un tipo que termine en un array sin tamaño, y ‘{type}’ no lo hace",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS_TYPES, string>>;
