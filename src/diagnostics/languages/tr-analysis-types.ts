import type { ANALYSIS_TYPES } from "../catalogue-analysis-types.ts";

/** What analysis says of types, expressions and memory, in Turkish. */
export const ANALYSIS_TYPES_TR = {
  "not-a-type": "‘{name}’ {what}; burada bir tür gerekir",
  "no-template-expected": "‘{name}’ şablon argümanı almaz",
  "template-count": "‘{name}’ başka şablon argümanları ister; yazılışı: ‘{shape}’",
  "enumerant-expected": "‘{name}’ burada duramaz; durabilecek olan: {accepted}",
  "bad-component-type": "‘{name}’ şundan oluşamaz: ‘{actual}’; olabilenler: {accepted}",
  "atomic-of-float":
    "‘{actual}’ için atomik yoktur; atomikler atomic<u32> ve atomic<i32> türleridir: sayının bitleri bir atomic<u32> içinde tutulup (bitcast) atomicCompareExchangeWeak ile bir döngüde güncellenebilir",
  "atomic-element":
    "‘{actual}’ için atomik yoktur; atomikler tek başına ya da dizi elemanı ve yapı üyesi olarak atomic<u32> ve atomic<i32> türleridir",
  "array-element": "‘{actual}’ bir dizinin elemanı olamaz; {why}",
  "count-type": "‘{what}’ boyutu i32 ya da u32 olmalıdır, ‘{actual}’ değil",
  "count-not-constant":
    "‘{what}’ boyutu shader çalışmadan bilinmelidir, ‘{name}’ ise bilinmiyor; const ya da override kullanılmalı",
  "count-not-positive": "‘{what}’ boyutu 0 sayısından büyük olmalıdır, {count} değil",
  "buffer-size-unit": "bir buffer boyutu {unit} baytın katı olmalıdır, {size} ise değil",
  "nesting-depth": "‘{name}’ {limit} düzeyden derine iç içe geçiyor",
  "type-too-large": "‘{type}’ {size} bayt kaplıyor, offset'lerin sayabileceğinden çok",
  "array-elements":
    "‘{type}’ çok uzun: storage ve uniform buffer'lar dışında dizilerin en çok {limit} elemanı olabilir",
  "empty-struct": "‘{name}’ yapısının en az bir üyesi olmalıdır",
  "struct-members": "‘{name}’ yapısının üye sayısı {given}, en çok {limit} olabilir",
  "duplicate-member": "‘{struct}’ içinde iki tane ‘{name}’ üyesi var",
  "member-type": "‘{name}’ üyesinin türü ‘{type}’ olamaz",
  "member-override-sized":
    "‘{name}’ üyesinin türü ‘{type}’ olamaz: boyutunu override veren diziler en dış düzeydeki workgroup değişkenleri içindir",
  "member-runtime-sized": "‘{name}’ üyesinin türü, boyutsuz bir diziyle biten ‘{type}’ olamaz",
  "runtime-array-not-last": "‘{name}’ üyesi boyutsuz bir dizidir (‘{type}’); yalnızca son üye böyle olabilir",
  "no-type": "‘{name}’ için bir tür ya da ilk değer gerekir",
  "type-mismatch": "{where} için ‘{expected}’ gerekir, bu ise ‘{actual}’",
  "value-type": "‘{name}’ türü ‘{type}’ olan bir ‘{keyword}’ olamaz",
  "override-type": "‘{name}’ override'ı skaler olmalıdır, ‘{type}’ değil",
  "not-constant": "{what} {when} bilinmelidir",
  "no-address-space":
    "‘{type}’ türündeki ‘{name}’ bir address space ister: ‘var<private>’, ‘var<workgroup>’, ‘var<uniform>’, ‘var<storage>’ ya da ‘var<immediate>’",
  "address-space-scope": "‘{space}’ address space'indeki değişkenler {where} bildirilir",
  "access-mode-not-allowed": "erişim kipi yalnızca ‘storage’ için verilebilir, ‘{space}’ için değil",
  "storage-write-only": "storage buffer yalnızca ‘write’ olamaz; ‘read’ ve ‘read_write’ olabilir",
  "handle-address-space":
    "‘{type}’ ‘{space}’ address space'inde duramaz; texture ve sampler'lar modül düzeyinde yalın ‘var’ ile bildirilir",
  "pointer-in-variable":
    "‘{type}’ saklanamaz, ‘{space}’ belleğinde de saklanamaz; işaretçiye ‘let’ ile ad verilebilir ya da parametre olarak geçirilebilir",
  "not-constructible": "‘{type}’ ‘{space}’ belleğinde duramaz; orada boyutlar modül oluşturulurken bilinir",
  "workgroup-type": "‘{type}’ ‘{space}’ belleğinde duramaz; boyutu pipeline oluşturulurken bilinmelidir",
  "uniform-type":
    "‘{type}’ ‘{space}’ belleğinde duramaz, orada dizinin boyutu olmalıdır; boyut verilmeli ya da var<storage> kullanılmalı",
  "bool-in-buffer": "‘{type}’ içinde bool var, o ‘{space}’ belleğinde duramaz; 0 ve 1 ile u32 kullanılmalı",
  "override-sized-outside-workgroup":
    "‘{type}’ boyutunu bir override veriyor, bu yalnızca workgroup değişkenlerinde olur, ‘{space}’ içinde olmaz; const her yerde boyut verebilir",
  "immediate-type":
    "bir immediate'in türü ‘{type}’ olamaz; skalerler, vektörler, matrisler ve dizi içermeyen yapılar olabilir",
  "immediate-size": "‘{name}’ immediate'i {size} bayt kaplıyor, en çok {limit} olabilir",
  "atomic-address-space":
    "‘{type}’ ‘{space}’ belleğinde duramaz: atomikler var<workgroup> ve var<storage, read_write> içinde yaşar",
  "atomic-read-only": "‘{type}’ yazılabilen bir buffer ister: var<storage, read_write>",
  "initializer-not-allowed": "‘{name}’ ‘{space}’ belleğinde durur ve ilk değeri olamaz; shader içinde yazılmalı",
  "resource-without-binding": "‘{name}’ kaynağı için hem ‘@group(…)’ hem ‘@binding(…)’ gerekir",
  "binding-on-non-resource": "‘@{attribute}’ kaynaklar içindir, ‘{name}’ ise ‘{space}’ belleğinde duruyor",
  "member-offset":
    "‘{name}’ {offset}. bayttadır, ‘{space}’ belleğinde ise bunun {required} sayısının katı olması gerekir; ‘@align({required})’ kullanılmalı",
  "array-stride":
    "‘{type}’ elemanları {stride} bayt aralıklıdır, ‘{space}’ belleğinde ise bunun {required} sayısının katı olması gerekir",
  "uniform-struct-distance":
    "‘{name}’ ‘{previous}’ yapısının {distance} bayt ardında başlıyor, uniform belleğinde ise {required} gerekir; ‘@align(16)’ kullanılmalı",
  "evaluation-error": "bu hesaplanamaz: {problem}",
  "no-value": "‘{name}’ değer vermez",
  "not-a-value-name": "‘{name}’ {what}; burada bir değer gerekir",
  "not-a-value": "‘{type}’ türündeki ‘{name}’ değer olarak kullanılamaz",
  "runtime-array-value":
    "‘{type}’ türündeki ‘{name}’ için boyut şimdi bilinmiyor, bütün olarak kullanılamaz; bir elemanı ya da ‘&’ ile bir işaretçi alınmalı",
  "no-unary-operator": "‘{operator}’ şu türle olmaz: ‘{type}’",
  "no-binary-operator": "‘{operator}’ şu türlerle olmaz: ‘{left}’ ve ‘{right}’",
  "address-of-value":
    "‘{name}’ türü ‘{type}’ olan bir değerdir ve adresi yoktur; yalnızca bir ‘var’ içindekinin adresi olur",
  "address-of-handle": "‘{type}’ türündeki ‘{name}’ için adres yoktur; olduğu gibi geçirilmeli",
  "address-of-component": "‘{name}’ bir vektör bileşenidir ve adresi yoktur; vektörünki alınmalı",
  "indirection-of-value": "‘*’ bir işaretçi ister, ‘{name}’ ise ‘{type}’ türünde",
  "pointer-composite-access":
    "‘{name}’ bir işaretçidir; ‘(*{name})’ yazılmalı, çünkü ‘pointer_composite_access’ dil özelliği burada desteklenmiyor",
  "pointer-argument-part":
    "‘{name}’ bir değişkenin parçasını gösteriyor, bu ‘unrestricted_pointer_parameters’ dil özelliği olmadan geçirilemez",
  "not-indexable": "‘{type}’ türündeki ‘{name}’ için eleman yoktur",
  "index-type": "bir indeks i32 ya da u32 olmalıdır, ‘{type}’ değil",
  "no-members": "‘{type}’ türünde ‘{name}’ diye bir üye yok",
  "unknown-member": "‘{type}’ türünde ‘{name}’ diye bir üye yok",
  "bad-swizzle":
    "‘{name}’ ‘{type}’ türünün bileşenlerini anmıyor; x, y, z, w ya da r, g, b, a harflerinden bir ile dört arası anar",
  "swizzle-past-end": "‘{type}’ türünde ‘{letter}’ diye bir bileşen yok",
  "not-callable": "‘{name}’ ne fonksiyon ne tür, bu yüzden çağrılamaz",
  "call-at-module-scope": "‘{name}’ fonksiyonların dışında çağrılamaz",
  "entry-point-called": "‘{name}’ bir giriş noktasıdır, çağrılamaz; gövdesi ayrı bir fonksiyona alınmalı",
  "argument-count": "‘{name}’ {wanted} alır, {given} değil",
  "no-overload": "‘{name}’ şunlarla çağrılamaz: {given}",
  "missing-address-of": "‘{name}’ bir işaretçi ister: ‘&{argument}’ yazılmalı",
  "not-atomic": "‘{name}’ bir atomiğe işaretçi ister, ‘{argument}’ ise ‘{type}’ gösteriyor; {way}",
  "no-constructor": "‘{name}’ şunlardan oluşturulamaz: {given}",
  "not-constructible-call": "‘{type}’ türünde bir değer oluşturulamaz",
  "construct-runtime-array":
    "‘{type}’ türünde bir değer oluşturulamaz, çünkü boyutu yok; boyut verilmeli ya da eleman türü yazılmamalı",
  "array-constructor-elements": "bu dizinin eleman sayısı {given}, tek ifadede en çok {limit} olabilir",
  "buffer-view-type":
    "‘{name}’ bir buffer'a ‘{type}’ olarak bakamaz: yalnızca host ile paylaşılabilen, atomik içermeyen türler olur",
  "buffer-array-view-type": "‘bufferArrayView’ boyutsuz bir diziyle biten bir tür ister, ‘{type}’ öyle değil",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS_TYPES, string>>;
