import type { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "../catalogue-advice.ts";

/** Advice in Spanish. */
export const ADVICE_ES = {
  "unreachable-code": "aquí no se llega nunca",
  "unused-variable": "{what} ‘{name}’ no se usa nunca; un nombre que empieza por ‘_’ dice que es a propósito",
  "never-read": "‘{name}’ se escribe pero no se lee nunca, así que lo calculado para ella se pierde",
  "unused-parameter":
    "el parámetro ‘{name}’ de ‘{function}’ no se usa nunca; un nombre que empieza por ‘_’ dice que es a propósito",
  "unused-function": "ningún punto de entrada llama a ‘{name}’, ni directamente ni a través de otras",
  "unused-binding":
    "ningún punto de entrada usa ‘{name}’, así que un layout automático no tiene entrada para @group({group}) @binding({binding})",
  "misleading-shadow": "esto declara otra ‘{name}’; la de fuera, que se lee después de este bloque, no cambia",
  "shadowed-builtin": "‘{name}’ oculta la función incorporada de este nombre, a la que la misma función también llama",
  "exchange-result-ignored":
    "nadie mira ‘exchanged’: el intercambio puede no haberse hecho, aunque ‘old_value’ sea el valor esperado",
  "exchange-not-retried":
    "un intercambio débil puede fallar aunque el valor sea el esperado, así que que no se haga no decide nada si no se reintenta en un bucle",
  "stale-exchange":
    "esto se calcula una vez, antes del bucle: si el intercambio ha fallado, se pierde lo que otras invocaciones han cambiado desde entonces",
  "old-value-as-new":
    "‘{name}’ devuelve el valor anterior, así que compararlo con ‘{text}’ llega un paso antes de tiempo",
  "unchecked-subtraction": "‘{place}’ no tiene signo: restar a partir de 0 da 4294967295, y nada lo impide aquí",
  "take-and-put-back": "se saca de ‘{place}’ antes de saber si queda algo y se devuelve demasiado tarde: {why}",
  "check-then-act": "entre la comprobación de ‘{place}’ y este {name}, otros pueden pasar la misma comprobación",
  "blind-write":
    "este {name} cambia ‘{place}’ antes de saber si puede, y lo que después se deshace ya lo han visto otros",
  "append-without-guard":
    "nada mantiene ‘{index}’ por debajo de la longitud de ‘{list}’, y el contador sigue contando cuando la lista está llena",
  "count-unsaturated":
    "‘{place}’ cuenta intentos, también aquellos para los que no había sitio, así que puede ser mayor que el número de elementos",
  "float-bits-order": "{name} sobre los bits de ‘{value}’ solo es correcto con números positivos: {problem}",
  "spin-on-memory":
    "este bucle solo termina cuando otra invocación cambia ‘{name}’, y nada garantiza que alguna avance entretanto",
  "mask-not-power-of-two":
    "‘{size} - 1’ no es una máscara, porque {size} vale {count} y no es potencia de dos: hay resultados que no salen nunca y otros que salen de más",
  "select-evaluates-both":
    "‘select’ evalúa los dos valores, así que ‘{read}’ se lee también cuando la condición dice que no debe leerse",
  "barrier-kind": "‘{name}’ solo ordena {ordered}, pero ‘{variable}’, a ambos lados, está en {space}: usar ‘{wanted}’",
  "barrier-across-workgroups": "‘{name}’ espera a las invocaciones de un workgroup, pero ‘{variable}’ {why}",
  "missing-barrier":
    "‘{name}’ {verb} aquí mientras otra invocación del workgroup puede estar en el mismo elemento, sin barrera de por medio",
  "lost-update": "varias invocaciones actualizan ‘{element}’ a la vez, así que se pierden actualizaciones",
  "repeated-barrier": "entre este ‘{name}’ y el anterior no hay nada que ordenar",
  "vec3-tucked-scalar":
    "‘{name}’ está en el byte {offset}, justo detrás de los {size} bytes de ‘{vector}’: un vec3 se alinea a cuatro componentes pero ocupa tres",
  "vec3-array-stride":
    "los elementos de este array están a {stride} bytes unos de otros, de los que se usan {size}: {type} se alinea a cuatro componentes",
  "struct-padding": "‘{name}’ ocupa {size} bytes; con sus miembros en otro orden, {best}, es decir, {saved} menos",
  "above-default-limit": "‘{name}’ tiene {value} {unit}; un dispositivo admite por defecto {most} ({limit})",
  "contended-address":
    "todas las invocaciones hacen este {name} en una sola dirección, ‘{place}’, así que van por turnos",
  "contended-exchange":
    "todas las invocaciones intercambian una sola palabra, ‘{place}’: de las que lo intentan a la vez pasa una y las demás reintentan",
  "not-in-target": "{browser} (a fecha de {date}) no acepta esto: {problem}",
  "allowance-without-reason":
    "sin un motivo esto no permite nada: escribir ‘// halay-allow-next-line {codes} -- por qué aquí es correcto’",
  "allowance-without-code": "esto no nombra ningún código y no permite nada",
  "allowance-mark": "‘{mark}’ no es ninguna marca y no permite nada",
  "allowance-unknown": "no hay ningún código ‘{code}’ que se pueda permitir",
} as const satisfies Readonly<Record<keyof typeof ADVICE, string>>;

export const ADVICE_NOTES_ES = {
  "leaves-before": "el control sale por aquí",
  "written-here": "‘{name}’ se escribe aquí",
  "builtin-called-here": "la función incorporada ‘{name}’ se llama aquí",
  "outer-read-here": "la ‘{name}’ de fuera se lee aquí",
  returns: "{name} devuelve {what}",
  "next-round-elsewhere": "la siguiente vuelta prueba en otro lugar, y nadie mira si ‘old_value’ era el valor esperado",
  "next-round-other": "la vuelta siguiente guarda lo que sale de otro valor, y este se pierde",
  "made-in-front":
    "se calcula con lo que ‘{name}’ vale aquí: calcularlo en el bucle, con lo que ‘{name}’ valga entonces",
  "decides-here": "esto lo decide",
  "compare-with-old": "la última en llegar ve ‘{wanted}’",
  "compare-own-value":
    "para saber si este valor ganó, compararlo con el antiguo: ‘{value}’ ganó si {name} devolvió algo a lo que supera",
  "take-only-if-left":
    "sacar solo donde queda algo: cargar ‘{place}’ y cambiarlo por uno menos con atomicCompareExchangeWeak en un bucle",
  "put-back-here": "se devuelve aquí",
  "checked-here": "‘{place}’ se comprueba aquí",
  "act-at-once": "hacer ambas cosas en un paso con atomicCompareExchangeWeak en un bucle",
  "check-and-act-at-once":
    "comprobar lo que devolvió {name}, o hacer ambas cosas en un paso con atomicCompareExchangeWeak en un bucle",
  "taken-back-here": "se deshace aquí",
  "slot-from-here": "el índice viene de ‘{place}’",
  "guard-the-slot": "escribir solo donde ‘{index} < {bound}’",
  "counts-attempts": "‘{place}’ sigue contando aquí cuando ya no hay sitio",
  "saturate-count":
    "devolverlo a la capacidad antes de usarlo: ‘atomicMin(&{place}, capacity)’ donde no hay sitio, o ‘min(count, capacity)’ donde se lee",
  "order-of-bits": "los bits de ‘{value}’ se toman aquí, signo incluido",
  "guard-the-bits":
    "dejar participar solo bits hasta 0x7f800000u, o bien ordenar todos los flotantes por una clave: todos los bits invertidos en los negativos, el de signo en los demás",
  "use-remainder": "‘% {size}’ es correcto con cualquier tamaño",
  "select-condition": "esto no protege la lectura",
  "use-if": "leerlo en un ‘if’: solo ahí decide la condición si se lee",
  "waits-here": "aquí se mira ‘{name}’ una y otra vez",
  "do-not-wait":
    "repartir el trabajo en dos dispatches, esperar en una barrera dentro del workgroup, o desistir tras unos cuantos intentos",
  "before-barrier": "‘{name}’ se usa aquí, antes",
  "after-barrier": "‘{name}’ se usa aquí, después",
  "by-one-of-dispatch": "una sola invocación del dispatch, o un solo workgroup, usa ‘{name}’ aquí",
  "by-all-workgroups": "todos los workgroups usan ‘{name}’ aquí",
  "next-dispatch": "solo el dispatch siguiente ve todo lo que los workgroups de este dejaron en ‘{name}’",
  "written-by-another": "‘{name}’ se escribe aquí",
  "read-by-another": "‘{name}’ se lee aquí",
  "put-barrier": "poner ‘{barrier}();’ entre ambos accesos, donde lleguen todas las invocaciones del workgroup",
  "read-then-barrier-apart":
    "leer en una variable en un ‘if’ y escribir en otro, con ‘{barrier}();’ entre ambos, adonde llegan todas las invocaciones",
  "read-then-barrier": "leer en una variable, después ‘{barrier}();’ y después escribir",
  "barrier-at-end": "la vuelta siguiente empieza sin barrera después de esta: poner ‘{barrier}();’ al final del bucle",
  "use-atomic-slot":
    "‘let slot = atomicAdd(&{place}, …);’ lee y cuenta en un solo paso: usar slot en lugar de ‘{place}’",
  "use-atomic-update":
    "hacerlo ‘atomic<{type}>’ y usar {atomic}, o dar a cada invocación un elemento propio de ‘{name}’",
  "use-exchange-loop":
    "cambiar sus bits en un bucle de atomicCompareExchangeWeak, o dar a cada invocación un elemento propio de ‘{name}’",
  "first-barrier": "el primer ‘{name}’ está aquí",
  "pack-vec3": "‘array<{scalar}>’ con tres elementos por vector no tiene huecos",
  "better-order": "en este orden: {names}",
  "require-limit": "pedirlo con ‘requiredLimits’, {limit} de al menos {value}, donde el adaptador lo tenga",
  "two-levels":
    "reunir primero en memoria de workgroup y que una invocación de cada workgroup haga este {name} una vez",
  "reduce-first":
    "sumar primero en memoria de workgroup, para que una invocación de cada workgroup haga el intercambio",
} as const satisfies Readonly<Record<keyof typeof ADVICE_NOTES, string>>;

export const ADVICE_PHRASES_ES = {
  "returns-atomicLoad": "el valor",
  "returns-atomicStore": "nada",
  "returns-atomicAdd": "el valor antiguo, de antes de la suma",
  "returns-atomicSub": "el valor antiguo, de antes de la resta",
  "returns-atomicMax": "el valor antiguo, que es el mayor hasta ahora solo si no fue sustituido",
  "returns-atomicMin": "el valor antiguo, que es el menor hasta ahora solo si no fue sustituido",
  "returns-atomicAnd": "el valor antiguo, con todos sus bits",
  "returns-atomicOr": "el valor antiguo, sin los bits nuevos",
  "returns-atomicXor": "el valor antiguo, de antes de invertir bits",
  "returns-atomicExchange": "el valor antiguo, que ya no está en ningún otro sitio",
  "returns-atomicCompareExchangeWeak":
    "‘old_value’ y ‘exchanged’, que puede ser false aunque ‘old_value’ sea aquello con lo que se comparó",
  "returns-workgroupUniformLoad": "el valor, el mismo para todas las invocaciones del workgroup",
  "one-and-all": "la usa una sola invocación a un lado y todos los workgroups al otro",
  "across-borders": "se usa más allá de los límites de los workgroups, por la invocación y por su vecina",
  "updated-by-all": "la cambian todos los workgroups antes y la leen todos después",
  "storage-buffers": "storage buffers",
  "workgroup-memory": "memoria de workgroup",
  "signed-test-fails": "una comprobación de ‘<= 0’ falla donde otros devuelven entretanto",
  "wrapped-looks-plenty": "otros encuentran el valor desbordado y lo toman por abundancia",
  "negative-out-of-order": "los números negativos salen en orden equivocado y un NaN cuenta como grande",
  "negative-beat-positive": "-0.0 y todo número negativo superan a todos los positivos, y un NaN también",
  "invocations-along": "invocaciones a lo largo de {axis}",
  "invocations-in-workgroup": "invocaciones en un workgroup",
  "bytes-of-workgroup-memory": "bytes de memoria de workgroup",
  "bytes-in-buffer": "bytes en un buffer {space}",
  "uniform-buffers": "uniform buffers",
  samplers: "samplers",
  "storage-textures": "texturas de almacenamiento",
  "sampled-textures": "texturas muestreadas",
  "bind-groups": "bind groups",
  "binding-numbers": "números de binding en un grupo",
} as const satisfies Readonly<Record<keyof typeof ADVICE_PHRASES, string>>;
