import type { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "../catalogue-findings.ts";

/** Findings in Spanish. What an access does is said without a subject: ‘x’ se lee. */
export const FINDINGS_ES = {
  "layout-mismatch": "el host supone que {what} de ‘{name}’ es {host}; en el shader es {shader}",
  "barrier-divergence":
    "no todas las invocaciones del workgroup ({workgroup}) llegan a la misma barrera: {arrived} de {size} esperan aquí, las de índice local {who}",
  timeout:
    "el dispatch de ‘{entry}’ no terminó dentro de su presupuesto de {budget}; {count} de sus invocaciones habían empezado sin terminar",
  "race-workgroup":
    "‘{path}’ {access} aquí (invocación {invocation}) y {other} en la línea {line} (invocación {otherInvocation}), sin workgroupBarrier() entre ambos accesos",
  "race-storage":
    "‘{path}’ {access} aquí (invocación {invocation}) y {other} en la línea {line} (invocación {otherInvocation} del mismo workgroup), sin storageBarrier() entre ambos accesos",
  "race-across-workgroups":
    "‘{path}’ {access} aquí en el workgroup ({workgroup}) y {other} en la línea {line} en el workgroup ({otherWorkgroup}): nada ordena los workgroups de un dispatch",
  "wrong-barrier":
    "‘{path}’ {access} aquí (invocación {invocation}) y {other} en la línea {line} (invocación {otherInvocation}); {barrier}(), que está entre ambos accesos, no ordena la memoria de {memory}",
  "same-value-write":
    "varias invocaciones que nada ordena escriben ‘{path}’; todas escriben {value} y ninguna lo lee entretanto",
  "unordered-atomics":
    "el resultado depende del momento: ‘{path}’ {access} aquí (invocación {invocation}) y {other} en la línea {line} (invocación {otherInvocation}), en cualquier orden",
  "out-of-bounds": "‘{name}’ {access} fuera de sus límites en la invocación {invocation}: {problem}",
  "unwritten-read": "‘{path}’ se lee aquí en la invocación {invocation} antes de que nadie lo haya escrito",
  "counter-underflow":
    "el contador ‘{path}’ baja de su valor mínimo: {before} pasa a ser {after} en la invocación {invocation}",
  "counter-overflow":
    "el contador ‘{path}’ sube de su valor máximo: {before} pasa a ser {after} en la invocación {invocation}",
  "counter-over-capacity": "el contador ‘{path}’ queda en {value}, por encima de los {capacity} que caben en ‘{array}’",
  "no-forward-progress":
    "la invocación {invocation} del workgroup ({workgroup}) espera aquí a que otra cambie ‘{path}’, y nada garantiza que esa otra avance entretanto",
  "order-dependent": "el resultado en ‘{result}’ depende del orden de las invocaciones, {how}",
  contention:
    "{count} de {total} operaciones atómicas en storage hacen cola en ‘{path}’; reuniendo primero en cada workgroup serían {twoLevel}",
  "needless-barrier":
    "esta ejecución no necesita {barrier}() aquí: sin ella no quedarían dos accesos sin orden entre sí",
  "needless-atomic":
    "esta ejecución no necesita que ‘{path}’ sea atómico: con accesos normales no habría carrera entre dos accesos a un mismo sitio",
  "nan-origin": "esto da {value} a partir de números finitos en la invocación {invocation}, y llega hasta ‘{path}’",
  "division-by-zero": "{value} se divide por cero en la invocación {invocation}",
  "shift-width":
    "desplazamiento de {value} bits en la invocación {invocation}; un desplazamiento admite menos de {width}",
  "conversion-saturates": "{value} no cabe en {type} y se convierte en {result} en la invocación {invocation}",
  "index-overflow":
    "el cálculo de un índice sale de los límites de {type} aquí, en la invocación {invocation}, y da {value}",
} as const satisfies Readonly<Record<keyof typeof FINDINGS, string>>;

export const FINDING_NOTES_ES = {
  "other-access": "aquí {access} (invocación {invocation} del workgroup ({workgroup}), fase {phase}): {value}",
  "this-access": "{access} (invocación {invocation} del workgroup ({workgroup}), fase {phase}): {value}",
  "in-dispatch": "en el dispatch {number} de {total}, punto de entrada ‘{entry}’",
  "first-in-dispatch":
    "por primera vez en el dispatch {number} de {total}, punto de entrada ‘{entry}’; en {count} de ellos",
  "one-buffer": "‘{name}’ y ‘{other}’ son un mismo buffer",
  "part-watched-addresses":
    "se han mirado {watched} de las {all} direcciones en conflicto: puede haber otros pares, y la cuenta es de estas",
  "part-watched-workgroups":
    "se han mirado {watched} de los {all} workgroups: otros pueden competir en otras líneas o escribir otros valores",
  "pairs-untold":
    "se informa de {told} pares de líneas en conflicto, con cada línea entre ellos, y de {untold} más no: corrija estos y vuelva a ejecutar sanitize",
  "this-barrier": "{barrier}() está entre ambos accesos, pero solo ordena la memoria de {memory}",
  "own-barrier":
    "este storageBarrier() está entre ambos accesos, pero solo ordena las invocaciones de su propio workgroup",
  "value-unused": "el valor no se usa: lo leído fuera de los límites se descarta, pero se lee",
  "undone-here": "la misma invocación lo deshace aquí; hasta entonces las demás ven el valor desbordado",
  "counted-here": "el contador que da la posición avanza aquí",
  "array-here": "su valor es aquí la posición de un elemento",
  "read-next-here": "‘{entry}’ toma aquí el contador por el número de elementos",
  "released-here": "la espera termina cuando aquí {access} (invocación {invocation} del workgroup ({workgroup}))",
  "never-released": "ya nadie lo cambia: el dispatch no termina",
  "hangs-lockstep": "se bloquea donde las invocaciones de un subgroup avanzan a la par: ambas están en el mismo",
  "hangs-one-invocation": "se bloquea donde una invocación sigue sin ceder hasta que termina o espera en una barrera",
  "hangs-one-workgroup": "se bloquea donde los workgroups se ejecutan uno tras otro, o no todos a la vez",
  "hangs-unfair": "se bloquea donde una invocación que espera impide que otras se ejecuten",
  "filled-here": "las posiciones de ‘{name}’ se reparten aquí por orden de llegada",
  "results-differ": "‘{path}’ vale {value} con el orden «{schedule}» y {otherValue} con el orden «{otherSchedule}»",
  "written-last":
    "con el orden «{schedule}», ‘{path}’ no es como se espera: la invocación {invocation} es la última en escribirlo, aquí",
  "bound-as": "‘{result}’ está enlazado aquí como ‘{name}’",
  "first-come": "quien llega primero decide lo que este {atomic} devuelve o deja",
  "hint-atomic": "{atomic} aquí hace de leer, calcular y escribir un solo paso",
  "hint-atomics": "{atomic} aquí y {other} en la línea {line} hacen de leer, calcular y escribir un solo paso cada uno",
  "hint-slot": "‘let {name} = {take};’ lee y cuenta en un solo paso: usar {name} en lugar de ‘{load}’",
  "hint-slot-guarded":
    "‘let {name} = {take};’ lee y cuenta en un solo paso: usar {name} en lugar de ‘{load}’, if ({index} < {count})",
  "hint-slot-named": "‘let {name} = {take};’ lee y cuenta en un solo paso",
  "hint-slot-named-guarded": "‘let {name} = {take};’ lee y cuenta en un solo paso: usarlo si ({index} < {count})",
  "hint-atomic-float":
    "un bucle de comparación e intercambio sobre los bits, o una suma en orden fijo, lo hace en un solo paso",
  "hint-exchange-loop": "aquí un bucle de atomicCompareExchangeWeak hace de leer, calcular y escribir un solo paso",
  "hint-barrier": "{barrier}() después de la línea {line} los ordena",
  "hint-two-barriers": "hacen falta dos: {barrier}() después de la línea {line} y otra vez después de la línea {end}",
  "hint-read-barriers":
    "leer en una variable, después ‘{barrier}();’ y después escribir; y {barrier}() después de la línea {line} para la próxima vez",
  "hint-barrier-between": "{barrier}() entre ambos accesos los ordena",
  "hint-part-branch":
    "los ordena {barrier}() donde llegan todas las invocaciones: terminar la rama antes y retomarla después",
  "hint-same-rounds":
    "que todas las invocaciones den las mismas vueltas, preguntar en cada una quién tiene algo que hacer y terminarla con {barrier}()",
  "hint-other-barrier": "{barrier}() es la barrera que ordena la memoria de {memory}",
  "hint-own-vector":
    "una componente se guarda con todo su vector: dar a cada invocación un vector, o elementos de un array o miembros propios",
  "hint-own-place": "que lo escriba una sola invocación, o dar a cada una su propio sitio",
  "hint-other-buffer": "leer de un buffer y escribir en otro: nada ordena los workgroups de un dispatch",
  "hint-chase":
    "su posición se encuentra por lo que otras invocaciones cambian: hacer atómico ‘{name}’, escribir con atomicCompareExchangeWeak lo que siga como se encontró y volver a buscar si no es así",
  "hint-own-flag":
    "declararlo {type} y fijarlo con atomicStore o atomicOr; o, donde todas las invocaciones lo escriben, dejarlo a una sola",
  "hint-place-first":
    "su posición depende de ‘{path}’, que en la línea {line} {access} mientras otras invocaciones lo cambian: corregir eso primero",
  "hint-stale-exchange":
    "lo que se guarda en la línea {line} se calcula con una lectura anterior al bucle: calcularlo de nuevo en cada vuelta, con lo que entonces espera el intercambio",
  "hint-ignored-exchange":
    "preguntar por ‘exchanged’ en el intercambio de la línea {line}: si es falso, otras invocaciones lo han cambiado desde la lectura y hay que repetirlo todo con ‘old_value’",
  "hint-claim":
    "un atomicCompareExchangeWeak en lugar del atomicLoad de la línea {load} y del atomicStore de la línea {store} mira y toma en un solo paso: si ‘exchanged’ es falso, mirar otra vez",
  "hint-claim-plain":
    "hacerlo atómico: un atomicCompareExchangeWeak en lugar de leer en la línea {load} y escribir en la línea {store} mira y toma en un solo paso: si ‘exchanged’ es falso, mirar otra vez",
  "hint-swap":
    "atomicExchange en lugar del atomicLoad de la línea {load} y del atomicStore de la línea {store} mira y pone en un solo paso",
  "hint-one-word":
    "esto y ‘{name}’ no cambian a la vez: tener ambos en una sola palabra que cambie el {atomic} de la línea {line}",
  "hint-flag-word":
    "‘{name}’ no dice nada de otra memoria, pues las operaciones atómicas solo se ordenan a sí mismas: tener la señal y el valor en un solo atómico, o leerlo en un dispatch posterior",
  "hint-dispatches": "dos dispatches: solo el final de un dispatch ordena los workgroups",
  "hint-round-dispatches": "un dispatch por vuelta: solo el final de un dispatch ordena los workgroups",
  "hint-all-atomic": "hacer atómicos todos los accesos",
  "hint-guard": "dejar pasar solo lo que está dentro de los límites: if ({index} < {count})",
  "hint-popped": "lo que da atomicSub es el número de antes: el último elemento es el anterior a ‘{index}’",
  "hint-guard-branch": "leerlo en la rama de un if: select evalúa los dos valores",
  "hint-guard-reservation": "escribir solo mientras la posición esté dentro de lo reservado",
  "hint-timing-barrier": "{barrier}() después de la línea {line} asegura el orden",
  "hint-timing-dispatch": "fijarlo o leerlo en un dispatch propio",
  "hint-compare-exchange": "un bucle de comparación e intercambio que nunca deje que el contador pase de su extremo",
  "hint-saturate": "atomicMin(&{counter}, {capacity}) tras un anexado fallido, o min() donde se lee la cuenta",
  "hint-no-wait": "{instead}",
  "hint-write-first":
    "escribirlo antes de leerlo; la memoria de workgroup empieza a cero, los buffers conservan lo que tenían",
  "stored-here": "se guarda aquí",
  "hint-any-order": "hacer que dependa solo de índices y valores, para que sea lo mismo llegue quien llegue primero",
  "hint-fixed-order": "dar a cada sumando su propio sitio y sumarlos en un orden fijo, o sumar enteros",
  "checked-on-launch": "vale solo para esta ejecución: con otros tamaños, datos o workgroups puede hacer falta",
  "one-at-a-time": "cada una se ha considerado por separado: sin esta, otra puede hacer falta",
  "changed-nothing": "{count} de {total} operaciones aquí no cambiaron nada",
  "hint-ask-first": "mirar antes si hay algo que cambiar y, si no lo hay, omitir la función atómica",
  "hint-two-level":
    "reunir primero con {local} en memoria de workgroup y dejar que una invocación de cada workgroup haga este {atomic} una vez",
  "hint-one-for-all": "dejar que una invocación de cada workgroup haga este {atomic} por todas",

  // runs
  "invocation-here": "la invocación {invocation} del workgroup ({workgroup}) está aquí",
  "waits-for-others":
    "este bucle solo termina cuando otra invocación cambia {names}, y nada garantiza que alguna avance entretanto",
  "waits-in-workgroup":
    "este bucle solo termina cuando otra invocación del mismo workgroup cambia {names}, y nada garantiza que alguna avance antes de una barrera",
  "values-key": "los valores de sus miembros van en ‘values’: {example}",
  "random-by-default": "‘{name}’ no recibió nada, así que contiene números aleatorios",
  "zeros-by-default": "‘{name}’ no recibió nada, así que contiene ceros",
  "hint-fill": "‘{example}’ como contenido lo pone ahí",
  "others-wait-here": "otras esperan aquí: {count}, índice local {who}",
  "others-ended": "otras terminaron sin llegar: {count}, índice local {who}",
} as const satisfies Readonly<Record<keyof typeof FINDING_NOTES, string>>;

export const FINDING_PHRASES_ES = {
  read: "se lee",
  write: "se escribe",
  "atomic-read": "se lee con {atomic}",
  "atomic-write": "se fija con {atomic}",
  "atomic-rmw": "se modifica con {atomic}",
  "the-stride": "el stride",
  "the-size": "el tamaño",
  "the-offset": "el offset",
  "index-of-elements": "índice {index} de {count} elementos",
  "index-of-part": "índice {index} de los {count} elementos de ‘{part}’",
  "component-of": "componente {index} de {count}",
  "behind-binding": "está más allá del final del binding",
  overrun: "los elementos de ‘{counter}’ invaden los de ‘{otherCounter}’ en ‘{path}’",
  "nearest-value": "el valor más cercano",
  "indeterminate-value": "un valor indeterminado",
  "random-schedule": "random, semilla {seed}",
  "by-rounding": "porque aquí los flotantes se suman en otro orden",
  "by-content": "y con él, que salga o no lo esperado",
  "instead-dispatches": "dos dispatches en lugar de esperar: lo que hizo el primero lo ve el segundo",
  "instead-atomics":
    "ningún cerrojo: una sola operación atómica, o un bucle de comparación e intercambio sobre una palabra que lo contenga todo",
  "instead-stale": "comparar con .old_value de la vuelta anterior, no con lo que se leyó antes del bucle",
  "instead-barrier": "{barrier}() en lugar de esperar: ahí se encuentran todas las invocaciones del workgroup",
  "a-barrier": "la barrera",
} as const satisfies Readonly<Record<keyof typeof ACCESS_PHRASES | keyof typeof FINDING_PHRASES, string>>;
