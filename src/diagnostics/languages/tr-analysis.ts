import type { ANALYSIS, ANALYSIS_PHRASES } from "../catalogue-analysis.ts";
import { ANALYSIS_TYPES_TR } from "./tr-analysis-types.ts";

/** What analysis says, in Turkish. */
export const ANALYSIS_TR = {
  ...ANALYSIS_TYPES_TR,

  "unresolved-identifier": "‘{name}’ bildirilmemiş",
  "duplicate-declaration":
    "‘{name}’ aynı kapsamda iki kez bildirilmiş; bir ad ancak içteki bir blokta yeniden bildirilebilir",
  "declaration-cycle": "‘{name}’ kendisine bağlı",
  "recursive-function":
    "‘{name}’ kendisini çağırıyor; WGSL içinde özyineleme yoktur, yerine kendi yığını olan bir döngü konabilir",

  "unknown-extension": "etkinleştirilecek ‘{name}’ diye bir uzantı yok",
  "feature-missing": "‘{name}’ uzantısı aygıtın ‘{feature}’ özelliğini ister, o ise yok",
  "unknown-language-extension": "‘{name}’ diye bir dil uzantısı yok",
  "language-extension-missing": "‘{name}’ dil uzantısı burada desteklenmiyor",
  "extension-not-enabled": "‘{name}’ için modülün başında ‘enable {extension};’ gerekir",
  "language-feature": "‘{name}’ için ‘{feature}’ dil özelliği gerekir, o ise burada desteklenmiyor",
  "unknown-severity": "‘{name}’ bir önem derecesi değil; olanlar: ‘error’, ‘warning’, ‘info’, ‘off’",
  "unknown-diagnostic-rule": "‘{rule}’ diye bir tanılama kuralı yok; bu süzgeç bir şey yapmaz",
  "conflicting-filter": "‘{rule}’ kuralı burada ‘{severity}’, daha önce ‘{earlier}’ yapılmış",
  "duplicate-filter": "‘{rule}’ kuralı aynı yerde iki kez süzülüyor",

  "unknown-attribute": "‘@{name}’ diye bir öznitelik yok",
  "misplaced-attribute": "‘@{name}’ burada ({place}) duramaz; durabileceği yer: {accepted}",
  "duplicate-attribute": "‘@{name}’ iki kez verilmiş",
  "attribute-arguments": "‘@{name}’ için argüman sayısı: {wanted}",
  "attribute-type": "‘@{name}’ argümanı i32 ya da u32 olmalıdır, ‘{actual}’ değil",
  "attribute-not-constant": "‘@{name}’ argümanı bir sabit ifade olmalıdır, ‘{argument}’ ise değil",
  "attribute-value": "‘@{name}’ argümanı en az {least} olmalıdır, {value} değil",
  "attribute-word": "‘@{name}’ argümanı bir ad olmalıdır",
  "override-id-range": "id {value} çok büyük: id'ler 0 ile 65535 arasındadır",
  "duplicate-override-id": "‘{name}’ için verilen id {id} başka bir override tarafından alınmış",
  "align-power-of-two": "hizalama ikinin kuvveti olmalıdır, {align} ise değil",
  "align-too-small": "{align} hizalaması ‘{type}’ için zaten gereken {required} sayısının katı değil",
  "size-too-small": "‘@size({size})’ çok küçük: ‘{type}’ {least} bayt kaplar",
  "size-of-runtime-sized": "‘@size’ boyutu bilinen bir tür ister, ‘{type}’ için ise boyut bilinmiyor",

  "several-stages": "‘{name}’ yalnızca tek bir aşamanın giriş noktası olabilir",
  "compute-only-attribute": "‘@{name}’ hesaplama giriş noktaları içindir, ‘{function}’ ise öyle değil",
  "no-workgroup-size": "‘{name}’ hesaplama giriş noktası için ‘@workgroup_size(…)’ gerekir",
  "workgroup-size-types": "‘@workgroup_size’ argümanlarının hepsi i32 ya da hepsi u32 olmalıdır; verilen: {types}",
  "subgroup-size-power-of-two": "subgroup boyutu ikinin kuvveti olmalıdır, {size} ise değil",
  "subgroup-size-divides": "çalışma grubunun x genişliği {width}, subgroup boyutu {size} değerinin katı değil",
  "no-io-attribute":
    "‘{type}’ türündeki ‘{name}’ için ‘@builtin(…)’ ya da ‘@location(…)’ gerekir, çünkü ‘{function}’ bir giriş noktasıdır",
  "io-attribute-not-on-entry-point":
    "‘@{name}’ giriş noktaları ve yapı üyeleri içindir, bu fonksiyon ise giriş noktası değil",
  "builtin-and-location": "‘{name}’ için ‘@builtin’ ya da ‘@location’ verilebilir, ikisi birden değil",
  "unknown-builtin-value": "‘{name}’ diye bir yerleşik değer yok",
  "builtin-value-type": "‘{name}’ yerleşik değerinin türü ‘{expected}’ olmalıdır, ‘{actual}’ değil",
  "builtin-value-stage": "‘{name}’ burada ({used}) kullanılamaz; kullanılabileceği yer: {accepted}",
  "duplicate-builtin-value": "‘{name}’ yerleşik değeri iki kez verilmiş",
  "depth-mode":
    "‘{mode}’ burada duramaz: ikinci argümanı (‘less’ ya da ‘greater’) yalnızca ‘frag_depth’ alır, ‘{name}’ almaz",
  "location-type": "‘@location’ sayısal skalerler ve vektörler içindir, ‘{type}’ için değil",
  "location-in-compute":
    "hesaplama shader'ında location yoktur, bu yüzden ‘{name}’ için verilemez; bunun yerine bir buffer okunabilir",
  "duplicate-location": "location {location} iki kez kullanılmış",
  "needs-location": "‘@{name}’ yanında bir ‘@location’ ister",
  "blend-src-value": "‘@blend_src’ argümanı 0 ya da 1 olmalıdır, {value} değil",
  "blend-src-stage": "‘@blend_src’ fragment shader çıktıları içindir, ‘{name}’ için değil",
  "dual-source-blending":
    "‘@blend_src’ ile ‘{name}’ tam olarak iki location taşımalıdır: ‘@location(0) @blend_src(0)’ ve ‘@location(0) @blend_src(1)’",
  "dual-source-types": "‘{name}’ için iki karışım kaynağı aynı türden olmalıdır; verilenler: ‘{first}’ ve ‘{second}’",
  "interpolation-type": "‘{name}’ bir enterpolasyon türü değil; olanlar: ‘perspective’, ‘linear’, ‘flat’",
  "interpolation-sampling": "‘{name}’ ile ‘{type}’ birlikte olmaz; olabilenler: {accepted}",
  "integer-not-flat": "‘{name}’ tam sayı türündedir (‘{type}’) ve ‘@interpolate(flat)’ ister",
  "invariant-without-position": "‘@invariant’ yalnızca ‘@builtin(position)’ ile birlikte olur",
  "no-position": "‘{name}’ vertex giriş noktası ‘@builtin(position)’ döndürmelidir",
  "compute-returns": "‘{name}’ hesaplama giriş noktası bir şey döndüremez; bunun yerine bir storage buffer yazılabilir",
  "wrong-stage": "‘{what}’ şu shader'lar içindir: {stages}; oysa ona bir {stage} shader'ı olan ‘{function}’ ulaşıyor",
  "variable-wrong-stage": "‘{name}’ {what} bulunuyor; bir {stage} shader'ı olan ‘{function}’ orayı kullanamaz",
  "duplicate-binding":
    "‘{name}’ ve ‘{other}’ ikisi de group {group}, binding {binding} üzerinde ve ‘{function}’ ikisini de kullanıyor",
  "several-immediates":
    "‘{name}’ hem ‘{first}’ hem ‘{second}’ immediate'ini kullanıyor; bir giriş noktası birini kullanabilir",

  "unknown-override": "değer verilecek ‘{name}’ diye bir override yok",
  "override-value": "{value}, ‘{type}’ türündeki ‘{name}’ override'ı için bir değer değil",
  "override-missing":
    "‘{function}’ tarafından kullanılan ‘{name}’ override'ının varsayılanı yok ve ona değer verilmemiş; değer --override {name}=DEĞER, launch dosyasında ‘overrides’ ya da bir pipeline için ‘constants’ ile verilir",
  "workgroup-too-large": "‘{name}’ için {size} workgroup'u çok büyük: {limit}",
  "workgroup-storage-too-large": "‘{name}’ {bytes} bayt workgroup belleği kullanıyor, en çok {limit} olabilir",

  "parameter-count": "‘{name}’ için parametre sayısı {given}, en çok {limit} olabilir",
  "parameter-type": "‘{name}’ parametresinin türü ‘{type}’ olamaz; ona bir işaretçi geçirilebilir",
  "atomic-parameter":
    "‘{name}’ parametresi atomik (‘{type}’) tutamaz; işaretçi geçirilebilir, örneğin ‘ptr<workgroup, atomic<u32>>’",
  "pointer-parameter-space":
    "{space} belleğini gösteren ‘{name}’ işaretçisi, ‘unrestricted_pointer_parameters’ dil özelliği olmadan parametre olamaz",
  "return-type": "‘{name}’ bir ‘{type}’ döndüremez",
  "must-use-nothing": "‘@must_use’ hiçbir şey döndürmeyen ‘{name}’ üzerinde anlamsızdır",

  "assign-to-value": "‘{name}’ bir değerdir, ona atama yapılamaz; yalnızca bir ‘var’ içindekine yapılır",
  "assign-to-pointer": "‘{name}’ bir işaretçidir; gösterdiğine atamak için ‘*{name}’ yazılır",
  "assign-to-swizzle": "‘{name}’ birkaç bileşeni anıyor, bunlara birden atama yapılamaz; her birine ayrı ayrı atanmalı",
  "write-to-read-only": "‘{name}’ yalnızca okunabilen {space} belleğinde",
  "atomic-plain-write": "‘{name}’ atomiktir (‘{type}’), sıradan bir değer gibi yazılamaz; kullanılacak olan: {wanted}",
  "atomic-plain-read":
    "‘{name}’ atomiktir (‘{type}’), sıradan bir değer gibi okunamaz; atomicLoad(&{name}) kullanılmalı",
  "atomic-copy":
    "‘{type}’ türündeki ‘{name}’ atomik içerir, bütün olarak kopyalanamaz; atomikleri tek tek atomicLoad ve atomicStore ile dolaşılmalı",
  "no-compound-operator": "‘{operator}’ şu türlerle olmaz: ‘{left}’ ve ‘{right}’",
  "increment-type": "‘{operator}’ i32 ve u32 içindir, ‘{name}’ ise ‘{type}’ türünde",
  "switch-selector-type": "‘switch’ seçicisi i32 ya da u32 olmalıdır, ‘{type}’ değil",
  "case-type": "bu durumun türü ‘{actual}’, seçicinin türü ise ‘{expected}’",
  "duplicate-case": "{value} durumu iki kez var",
  "no-default": "‘switch’ için bir ‘default’ gerekir",
  "duplicate-default": "‘default’ iki kez var",
  "switch-selectors": "bu ‘switch’ içindeki durum seçicisi sayısı {given}, en çok {limit} olabilir",
  "break-outside": "‘break’ yalnızca bir döngüde ya da ‘switch’ içinde durabilir",
  "break-from-continuing": "‘break’ bir ‘continuing’ bloğundan çıkamaz; blok ‘break if …;’ ile bitirilmeli",
  "continue-outside": "‘continue’ yalnızca bir döngüde durabilir",
  "continue-in-continuing": "‘continue’ bir ‘continuing’ bloğunda duramaz",
  "continue-skips-declaration":
    "‘continue’, ‘continuing’ bloğunun kullandığı ‘{name}’ bildirimini atlıyor; daha önce bildirilmeli",
  "return-in-continuing": "‘return’ bir ‘continuing’ bloğunda duramaz",
  "return-without-value": "‘{name}’ bir ‘{type}’ değeri döndürmelidir",
  "return-value-not-allowed":
    "‘{name}’ bir şey döndürmez, bu yüzden ‘return’ değer almaz; fonksiyona ‘->’ ile bir dönüş türü verilmeli",
  "value-not-used": "‘{name}’ sonucunda gelen değer kullanılmıyor; bir yere ya da ‘_’ adına atanmalı",
  "must-use": "‘{name}’ sonucu kullanılmıyor ve çağrı başka bir şey yapmıyor; bir yere ya da ‘_’ adına atanmalı",
  "const-assert-failed": "‘{condition}’ savı doğru değil",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS, string>>;

export const ANALYSIS_PHRASES_TR = {
  "a-function": "bir fonksiyon",
  "a-texel-format": "{example} gibi bir texel biçimi",
  "a-builtin-function": "yerleşik bir fonksiyon",
  "an-enumerant": "bir numaralandırma adı",
  "a-variable": "bir değişken",
  "a-value": "bir değer",
  "an-override": "bir override",
  parameter: "bir parametre",
  "condition-of": "‘{keyword}’ koşulu",
  "return-value-of": "‘{name}’ dönüş değeri",
  "parameter-of": "‘{name}’ fonksiyonunun ‘{parameter}’ parametresi",
  "member-of": "‘{name}’ yapısının ‘{member}’ üyesi",
  "element-of": "‘{name}’ dizisinin {index}. elemanı",
  "case-selector": "bir durum seçicisi",
  "default-of": "‘{name}’ override'ının varsayılan değeri",
  "const-initializer-of": "‘{name}’ sabitinin ilk değeri",
  "private-initializer-of": "‘{name}’ özel değişkeninin ilk değeri",
  "argument-of-attribute": "‘@{name}’ argümanı",
  "in-functions": "fonksiyonlarda",
  "at-module-scope": "modül düzeyinde",
  "in-workgroup-memory": "workgroup belleğinde",
  "written-buffer": "yazılabilen bir storage buffer içinde",
  "written-texture": "yazılabilen bir storage texture içinde",
  reads: "okuyor",
  writes: "yazıyor",
  components: "{count} bileşen",
  "compare-exchange-loop": "bir karşılaştır-değiştir döngüsü",
  "workgroup-limit": "en çok {most}, toplamda {invocations} invocation olabilir",
} as const satisfies Readonly<Record<keyof typeof ANALYSIS_PHRASES, string>>;
