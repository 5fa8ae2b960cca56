import type { UNIFORMITY, UNIFORMITY_NOTES } from "../catalogue-uniformity.ts";

/** Behaviors, aliases and uniformity in Turkish. */
export const UNIFORMITY_TR = {
  "missing-return": "‘{name}’ bir değer döndürür, bu yüzden içindeki her yol bir ‘return’ ile bitmelidir",
  "endless-loop": "bu döngüden çıkan bir şey yok; içinde ulaşılabilen bir ‘break’ ya da ‘return’ beklenir",
  "aliased-arguments":
    "‘{function}’ çağrısına ‘{name}’ iki kez veriliyor ve fonksiyon ona yazıyor; farklı değişkenlere işaretçiler beklenir",
  "aliased-variable":
    "‘{function}’ ‘{name}’ değişkenini hem kendisi hem bu işaretçiyle kullanıyor ve ona yazıyor; başka bir değişkene işaretçi beklenir",
  "barrier-uniformity":
    "‘{name}’ çağrısına workgroup'un ya bütün invocation'ları ulaşmalıdır ya da hiçbiri, oysa kontrol akışı burada aralarında farklı olabilir",
  "barrier-argument-uniformity":
    "‘{name}’ çağrısına verilen işaretçi workgroup'un bütün invocation'ları için aynı olmalıdır",
  "derivative-uniformity":
    "‘{name}’ komşu invocation'ları karşılaştırır, bu yüzden ya hepsi ulaşmalıdır ya da hiçbiri; oysa kontrol akışı burada aralarında farklı olabilir",
  "subgroup-uniformity":
    "‘{name}’ çağrısına {scope} içindeki invocation'ların ya hepsi ulaşmalıdır ya da hiçbiri, oysa kontrol akışı burada aralarında farklı olabilir",
  "subgroup-argument-uniformity":
    "‘{name}’ çağrısının ‘{parameter}’ argümanı {scope} içindeki bütün invocation'lar için aynı olmalıdır",
} as const satisfies Readonly<Record<keyof typeof UNIFORMITY, string>>;

export const UNIFORMITY_NOTES_TR = {
  "ends-here": "akış buraya ‘return’ olmadan geliyor",
  "no-else": "bu doğru değilse akış ‘return’ olmadan sürüyor",
  "other-argument": "‘{name}’ burada da veriliyor",
  "written-through-pointer": "‘{function}’ burada işaretçi üzerinden yazıyor",
  "read-through-pointer": "‘{function}’ burada işaretçi üzerinden okuyor",
  "used-by-name": "‘{function}’ ‘{name}’ değişkenini burada {verb}",
  "under-condition": "bir invocation'ın oraya ulaşıp ulaşmaması buna bağlı",
  "under-selector": "bir invocation'ın hangi durumu seçeceği buna bağlı",
  "left-side-decides": "‘{operator}’ işlecinin sağ yanı yalnızca sol yan gerektirdiğinde hesaplanır",
  "loop-count": "döngünün kaç kez döneceğini her invocation için bu belirliyor",
  "leaves-here": "bazı invocation'lar bu ‘{jump}’ ile çıkarken ötekiler sürdürüyor",
  "depends-on-condition": "değer bunun doğru olup olmamasına bağlı",
  "assigned-here": "‘{name}’ değerini burada alıyor",
  "left-by-call": "‘{function}’ ‘{name}’ içinde invocation'lar arasında farklı olabilen bir değer bırakıyor",
  "returned-by-call": "‘{function}’ ne döndürürse invocation'lar arasında farklı olabilir",
  "argument-differs": "‘{name}’ için verilen argüman invocation'lar arasında farklı olabilir",
  "affects-too": "aynısı burada ‘{name}’ için de geçerli",
  "source-builtin-value": "‘{name}’ = ‘{builtin}’, her invocation'da farklıdır",
  "source-input": "‘{name}’ bir {stage} shader girdisidir, invocation'lar arasında farklı olabilir",
  "source-parts":
    "‘{name}’ içinde ‘{part}’ de var, o invocation'lar arasında farklıdır; bir parametrenin üyeleri birbirinden ayrılmaz",
  "source-storage":
    "‘{name}’ shader'ın yazabildiği bir buffer'dır, bu yüzden invocation'lar farklı değerler okuyabilir",
  "source-workgroup": "‘{name}’ workgroup belleğindedir, orada invocation'lar farklı değerler okuyabilir",
  "source-private": "‘{name}’ özeldir, her invocation'ın kendisininki vardır",
  "source-pointer":
    "‘{name}’ yazılabilen {space} belleğini gösteriyor, bu yüzden invocation'lar farklı değerler okuyabilir",
  "source-call": "‘{name}’ sonucu invocation'lar arasında farklı olabilir",
  "source-uniform-in-subgroup": "‘{name}’ bir subgroup içinde aynıdır ama workgroup içinde farklı olabilir",
  "use-uniform-load": "‘workgroupUniformLoad(&{expression})’ bütün invocation'lar için tek bir değer okur",
  "declare-read": "‘{name}’ hiç yazılmıyor, bu yüzden ‘var<storage, read>’ olabilir; o uniform sayılır",
  "share-through-workgroup":
    "bir invocation ‘{expression}’ değerini workgroup belleğine kopyalayabilir, oradan ‘workgroupUniformLoad’ hepsi için okur",
  "do-once":
    "workgroup için bir kez yapılabiliyorsa bunu tek bir invocation yapmalı, sonuç workgroup belleğine konup ‘workgroupUniformLoad’ ile okunmalı",
  "pass-instead": "hepsi için aynı olan şey ‘{name}’ yerine parametre olarak geçirilebilir",
  "own-parameter": "‘{parts}’ ayrı bir parametre olarak alınabilir, o uniform sayılır",
  "guard-the-work": "bütün invocation'lar ‘{name}’ çağrısına ulaşsın: koşul çağrının değil işin çevresine konmalı",
  "no-early-exit": "bütün invocation'lar ‘{name}’ çağrısına ulaşsın: erken çıkmak yerine iş kendi koşuluna alınmalı",
  "same-count": "bütün invocation'lar döngüyü aynı sayıda dönsün, koşul döngü içindeki işin çevresine konsun",
  "hoist-call": "‘{name}’ akış ayrılmadan önce çağrılmalı ve sonucu gereken yerde kullanılmalı",
  "explicit-level": "‘{other}’ türev hesaplamaz ve her yerde çağrılabilir",
  "filter-rule": "‘@diagnostic(off, {rule})’ buna izin verir, ama invocation'lar ayrıldığında sonuç bir anlam taşımaz",
} as const satisfies Readonly<Record<keyof typeof UNIFORMITY_NOTES, string>>;
