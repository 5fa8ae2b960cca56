import type { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "../catalogue-findings.ts";

/** Findings in Turkish. No suffix is put to a name or number: what it would say is said by a word of its own. */
export const FINDINGS_TR = {
  "layout-mismatch": "host tarafı ‘{name}’ için {what} değerini {host} sayıyor, shader tarafında ise bu değer {shader}",
  "barrier-divergence":
    "workgroup ({workgroup}) içindeki invocation'ların hepsi aynı bariyere ulaşmıyor: {size} invocation içinden {arrived} tanesi burada bekliyor (yerel indeks: {who})",
  timeout:
    "‘{entry}’ dispatch'i kendisine ayrılan süre içinde bitmedi ({budget}); başlayıp bitmemiş invocation sayısı: {count}",
  "race-workgroup":
    "‘{path}’ burada invocation {invocation} tarafından {access}, {line}. satırda ise invocation {otherInvocation} tarafından {other}; arada workgroupBarrier() yok",
  "race-storage":
    "‘{path}’ burada invocation {invocation} tarafından {access}, {line}. satırda ise aynı workgroup içindeki invocation {otherInvocation} tarafından {other}; arada storageBarrier() yok",
  "race-across-workgroups":
    "‘{path}’ burada workgroup ({workgroup}) içinde {access}, {line}. satırda ise workgroup ({otherWorkgroup}) içinde {other}: bir dispatch'in workgroup'larını hiçbir şey sıralamaz",
  "wrong-barrier":
    "‘{path}’ burada invocation {invocation} tarafından {access}, {line}. satırda ise invocation {otherInvocation} tarafından {other}; aradaki {barrier}() {memory} belleğini sıralamaz",
  "same-value-write":
    "‘{path}’ aralarında sıra olmayan birkaç invocation tarafından yazılıyor; hepsi aynı değeri ({value}) yazıyor ve o sırada kimse okumuyor",
  "unordered-atomics":
    "sonuç zamanlamaya bağlı: ‘{path}’ burada invocation {invocation} tarafından {access}, {line}. satırda ise invocation {otherInvocation} tarafından {other}; hangisinin önce geleceği belli değil",
  "out-of-bounds": "‘{name}’ invocation {invocation} tarafından sınırlarının dışında {access}: {problem}",
  "unwritten-read": "‘{path}’ burada, henüz kimse yazmamışken, invocation {invocation} tarafından okunuyor",
  "counter-underflow":
    "‘{path}’ sayacı en küçük değerinin altına iniyor: invocation {invocation} içinde {before} iken {after} oluyor",
  "counter-overflow":
    "‘{path}’ sayacı en büyük değerinin üstüne çıkıyor: invocation {invocation} içinde {before} iken {after} oluyor",
  "counter-over-capacity":
    "‘{path}’ sayacı {value} değerinde kalıyor; bu, ‘{array}’ dizisine sığandan ({capacity}) fazla",
  "no-forward-progress":
    "workgroup ({workgroup}) içindeki invocation {invocation} burada başka bir invocation'ın ‘{path}’ değerini değiştirmesini bekliyor; ötekinin bu sırada ilerleyeceğini hiçbir şey güvence altına almaz",
  "order-dependent": "‘{result}’ içindeki sonuç invocation'ların sırasına bağlı: {how}",
  contention:
    "storage üzerindeki {total} atomik işlemin {count} tanesi ‘{path}’ üzerinde sıraya giriyor; önce her workgroup kendi içinde birleştirseydi {twoLevel} olurdu",
  "needless-barrier":
    "bu çalıştırma için buradaki {barrier}() gerekli değil: o olmadan da sırasız kalan iki erişim olmazdı",
  "needless-atomic":
    "bu çalıştırma için ‘{path}’ atomik olmak zorunda değil: sıradan erişimlerle de aynı yere yapılan iki erişim yarışmazdı",
  "nan-origin":
    "bu işlem invocation {invocation} içinde sonlu sayılardan {value} üretiyor ve bu değer şuraya ulaşıyor: ‘{path}’",
  "division-by-zero": "invocation {invocation} içinde sıfıra bölme; bölünen: {value}",
  "shift-width": "invocation {invocation} içinde kaydırma miktarı {value} bit; kaydırma {width} bitten az olmalıdır",
  "conversion-saturates":
    "{value} {type} türünün dışında kalıyor ve invocation {invocation} içinde {result} dönüştürülüyor",
  "index-overflow":
    "burada bir indeks hesabı invocation {invocation} içinde {type} türünün sınırlarını aşıyor; sonuç: {value}",
} as const satisfies Readonly<Record<keyof typeof FINDINGS, string>>;

export const FINDING_NOTES_TR = {
  "other-access": "burada {access} (invocation {invocation}, workgroup ({workgroup}), aşama {phase}): {value}",
  "this-access": "{access} (invocation {invocation}, workgroup ({workgroup}), aşama {phase}): {value}",
  "in-dispatch": "{total} dispatch içinden {number}. dispatch, giriş noktası: ‘{entry}’",
  "first-in-dispatch":
    "ilk kez {total} dispatch içinden {number}. dispatch, giriş noktası: ‘{entry}’; toplam {count} dispatch içinde",
  "one-buffer": "‘{name}’ ve ‘{other}’ tek bir buffer'a bağlı",
  "part-watched-addresses":
    "yarışan {all} adresten {watched} tanesine bakıldı: başka çiftler olabilir, sayı bunlarındır",
  "part-watched-workgroups":
    "{all} workgroup içinden {watched} tanesine bakıldı: ötekiler başka satırlarda yarışabilir ya da başka değerler yazabilir",
  "pairs-untold":
    "yarışan {told} satır çifti bildirildi, her satır aralarında; {untold} çift daha var: bunları düzeltip sanitize yeniden çalıştırılsın",
  "this-barrier": "aradaki {barrier}() yalnızca {memory} belleğini sıralar",
  "own-barrier": "aradaki bu storageBarrier() yalnızca kendi workgroup'unun invocation'larını sıralar",
  "value-unused": "değer kullanılmıyor: sınır dışından okunan atılıyor, ama yine de okunuyor",
  "undone-here": "aynı invocation bunu burada geri alıyor; o zamana kadar ötekiler taşmış değeri görür",
  "counted-here": "yeri veren sayaç burada ilerletiliyor",
  "array-here": "değeri burada bir elemanın yeri olarak kullanılıyor",
  "read-next-here": "‘{entry}’ burada sayacı eleman sayısı olarak alıyor",
  "released-here":
    "bekleme şununla bitiyor: burada invocation {invocation} tarafından {access} (workgroup ({workgroup}))",
  "never-released": "artık kimse değiştirmiyor: dispatch bitmez",
  "hangs-lockstep":
    "bir subgroup'un invocation'ları adım adım birlikte ilerliyorsa takılır: ikisi de aynı subgroup içinde",
  "hangs-one-invocation": "bir invocation bitene ya da bariyerde bekleyene dek durmadan çalışıyorsa takılır",
  "hangs-one-workgroup": "workgroup'lar birbiri ardına ya da hepsi aynı anda olmadan çalışıyorsa takılır",
  "hangs-unfair": "bekleyen bir invocation ötekilerin çalışmasını engelliyorsa takılır",
  "filled-here": "‘{name}’ içindeki yerler burada geliş sırasıyla dağıtılıyor",
  "results-differ": "‘{path}’ “{schedule}” sırasıyla {value}, “{otherSchedule}” sırasıyla {otherValue} oluyor",
  "written-last":
    "“{schedule}” sırasıyla ‘{path}’ beklendiği gibi değil: onu en son, burada, invocation {invocation} yazıyor",
  "bound-as": "‘{result}’ burada ‘{name}’ olarak bağlı",
  "first-come": "bu {atomic} işleminin ne verdiğini veya ne bıraktığını ilk gelen belirliyor",
  "hint-atomic": "burada {atomic} okuma, hesaplama ve yazmayı tek adım yapar",
  "hint-atomics": "burada {atomic}, {line}. satırda {other} okuma, hesaplama ve yazmayı tek adım yapar",
  "hint-slot": "‘let {name} = {take};’ tek adımda okur ve sayar: ‘{load}’ yerine {name} kullanılsın",
  "hint-slot-guarded":
    "‘let {name} = {take};’ tek adımda okur ve sayar: ‘{load}’ yerine {name} kullanılsın, if ({index} < {count})",
  "hint-slot-named": "‘let {name} = {take};’ tek adımda okur ve sayar",
  "hint-slot-named-guarded":
    "‘let {name} = {take};’ tek adımda okur ve sayar: yalnızca ({index} < {count}) ise kullanılsın",
  "hint-atomic-float":
    "burada bitler üzerinde bir karşılaştır-değiştir döngüsü ya da sabit sıralı bir toplam bunu tek adım yapar",
  "hint-exchange-loop": "burada bir atomicCompareExchangeWeak döngüsü okuma, hesaplama ve yazmayı tek adım yapar",
  "hint-barrier": "{line}. satırdan sonraya konacak {barrier}() bunları sıralar",
  "hint-two-barriers": "iki tane gerek: {line}. satırdan sonra {barrier}(), {end}. satırdan sonra da bir tane",
  "hint-read-barriers":
    "önce bir değişkene okunmalı, ardından ‘{barrier}();’, sonra yazılmalı; sonraki sefer için de {line}. satırdan sonra {barrier}() konmalı",
  "hint-barrier-between": "ikisinin arasına konacak {barrier}() bunları sıralar",
  "hint-part-branch":
    "bunları tüm invocation'ların ulaştığı bir {barrier}() sıralar: dal ondan önce bitirilip sonra yeniden açılmalı",
  "hint-same-rounds":
    "bütün invocation'lar aynı turları atsın, her turda kimin işi olduğu sorulsun, tur {barrier}() ile bitsin",
  "hint-other-barrier": "{memory} belleğini sıralayan bariyer {barrier}() bariyeridir",
  "hint-own-vector":
    "bir bileşen bütün vektörüyle birlikte yazılır: her invocation'ın kendi vektörü ya da kendi dizi öğeleri veya üyeleri olsun",
  "hint-own-place": "bunu tek bir invocation yazsın ya da her birinin kendi yeri olsun",
  "hint-other-buffer":
    "bir buffer'dan okunup başka birine yazılsın: bir dispatch'in workgroup'larını hiçbir şey sıralamaz",
  "hint-chase":
    "yeri başkalarının değiştirdiği değerlerle bulunuyor: ‘{name}’ atomik yapılmalı, hâlâ bulunduğu gibi olan atomicCompareExchangeWeak ile yazılmalı, öyle değilse yeniden bakılmalı",
  "hint-own-flag":
    "{type} yapılıp atomicStore ya da atomicOr ile yazılsın; bütün invocation'lar yazıyorsa tek biri de yazabilir",
  "hint-place-first":
    "yeri ‘{path}’ belirliyor, o da {line}. satırda başkaları değiştirirken {access}: önce bu düzeltilsin",
  "hint-stale-exchange":
    "{line}. satırda yazılan, döngüden önceki bir okumadan hesaplanıyor: her turda, değişimin o anda beklediği değerden yeniden hesaplansın",
  "hint-ignored-exchange":
    "{line}. satırdaki değişimin ‘exchanged’ sonucuna bakılmalı: yanlışsa okumadan beri başkaları değiştirmiştir ve hepsi ‘old_value’ ile yeniden yapılmalıdır",
  "hint-claim":
    "{load}. satırdaki atomicLoad ile {store}. satırdaki atomicStore yerine bir atomicCompareExchangeWeak tek adımda bakar ve alır: ‘exchanged’ yanlışsa yeniden bakılsın",
  "hint-claim-plain":
    "atomik yapılmalı: {load}. satırdaki okuma ile {store}. satırdaki yazma yerine bir atomicCompareExchangeWeak tek adımda bakar ve alır: ‘exchanged’ yanlışsa yeniden bakılsın",
  "hint-swap":
    "{load}. satırdaki atomicLoad ve {store}. satırdaki atomicStore yerine bir atomicExchange tek adımda bakar ve koyar",
  "hint-one-word":
    "bu ve ‘{name}’ birlikte değişmiyor: ikisi de {line}. satırdaki {atomic} ile değişen tek bir sözcükte tutulmalı",
  "hint-flag-word":
    "‘{name}’ başka bellek hakkında bir şey söylemez, çünkü atomikler yalnızca kendilerini sıralar: o ve değer tek bir atomikte tutulmalı ya da değer sonraki bir dispatch içinde okunmalı",
  "hint-dispatches": "iki dispatch: workgroup'ları yalnızca bir dispatch'in bitişi sıralar",
  "hint-round-dispatches": "her tur için bir dispatch: workgroup'ları yalnızca bir dispatch'in bitişi sıralar",
  "hint-all-atomic": "buna yapılan her erişim atomik olsun",
  "hint-guard": "buraya yalnızca sınırlar içinde olan gelsin: if ({index} < {count})",
  "hint-popped": "atomicSub önceki sayıyı verir: son öğe ‘{index}’ yerinin bir öncesindedir",
  "hint-guard-branch": "bunun yerine bir if dalında okunsun: select her iki değeri de hesaplar",
  "hint-guard-reservation": "yalnızca yer ayrılan alanın içindeyken yazılsın",
  "hint-timing-barrier": "{line}. satırdan sonraya konacak {barrier}() sırayı kesinleştirir",
  "hint-timing-dispatch": "kendi dispatch'inde yazılsın ya da okunsun",
  "hint-compare-exchange":
    "sayacın sınırını aşmasına hiç izin vermeyen bir karşılaştır-değiştir döngüsü kullanılabilir",
  "hint-saturate": "başarısız eklemeden sonra atomicMin(&{counter}, {capacity}) ya da sayının okunduğu yerde min()",
  "hint-no-wait": "{instead}",
  "hint-write-first": "okunmadan önce yazılsın; workgroup belleği sıfırla başlar, buffer'lar eski içeriğini korur",
  "stored-here": "burada saklanıyor",
  "hint-any-order": "yalnızca indekslere ve değerlere bağlı olsun; kim önce gelirse gelsin sonuç aynı kalsın",
  "hint-fixed-order": "her terime kendi yeri verilip sabit bir sırada toplansın ya da tam sayılar toplansın",
  "checked-on-launch":
    "bu yalnızca bu çalıştırma için geçerlidir: başka boyut, veri ya da workgroup sayısıyla gerekli olabilir",
  "one-at-a-time": "her biri tek başına ele alındı: bu kaldırılırsa bir başkası gerekli olabilir",
  "changed-nothing": "buradaki {total} işlemin {count} tanesi bir şey değiştirmedi",
  "hint-ask-first": "önce değiştirilecek bir şey olup olmadığına bakılmalı, yoksa atomik fonksiyon çağrılmamalı",
  "hint-two-level":
    "önce workgroup belleğinde {local} ile birleştirilsin, sonra her workgroup'ta bir invocation bu {atomic} işlemini bir kez yapsın",
  "hint-one-for-all": "her workgroup'ta bir invocation bu {atomic} işlemini hepsi adına yapsın",

  // runs
  "invocation-here": "invocation {invocation} (workgroup ({workgroup})) burada",
  "waits-for-others":
    "bu döngü ancak başka bir invocation {names} değerini değiştirince biter; ötekinin bu sırada ilerleyeceğini hiçbir şey güvence altına almaz",
  "waits-in-workgroup":
    "bu döngü ancak aynı workgroup'un başka bir invocation'ı {names} değerini değiştirince biter; ötekinin bir bariyerden önce ilerleyeceğini hiçbir şey güvence altına almaz",
  "values-key": "üyelerinin değerleri ‘values’ altına yazılır: {example}",
  "random-by-default": "‘{name}’ için bir şey verilmedi, bu yüzden içinde rastgele sayılar var",
  "zeros-by-default": "‘{name}’ için bir şey verilmedi, bu yüzden içinde sıfırlar var",
  "hint-fill": "içerik olarak ‘{example}’ verilirse o değer orada olur",
  "others-wait-here": "başkaları burada bekliyor: {count}, yerel indeks {who}",
  "others-ended": "başkaları buraya gelmeden bitti: {count}, yerel indeks {who}",
} as const satisfies Readonly<Record<keyof typeof FINDING_NOTES, string>>;

export const FINDING_PHRASES_TR = {
  read: "okunuyor",
  write: "yazılıyor",
  "atomic-read": "{atomic} ile okunuyor",
  "atomic-write": "{atomic} ile yazılıyor",
  "atomic-rmw": "{atomic} ile değiştiriliyor",
  "the-stride": "stride",
  "the-size": "boyut",
  "the-offset": "offset",
  "index-of-elements": "indeks {index}, eleman sayısı {count}",
  "index-of-part": "‘{part}’ içinde indeks {index}, eleman sayısı {count}",
  "component-of": "bileşen {index}, bileşen sayısı {count}",
  "behind-binding": "bağlanan bölümün sonundan ötede kalıyor",
  overrun: "‘{path}’ üzerinde ‘{counter}’ sayacının elemanları ‘{otherCounter}’ sayacınınkilere taşıyor",
  "nearest-value": "en yakın değere",
  "indeterminate-value": "belirsiz bir değere",
  "random-schedule": "random, seed {seed}",
  "by-rounding": "burada kayan noktalı sayılar farklı sıralarda toplanıyor",
  "by-content": "çalıştırmanın beklendiği gibi bitip bitmemesi de buna bağlı",
  "instead-dispatches": "beklemek yerine iki dispatch: ilkinin yaptığını ikincisi görür",
  "instead-atomics":
    "kilit yerine tek bir atomik işlem ya da her şeyi içeren tek bir sözcük üzerinde karşılaştır-değiştir döngüsü",
  "instead-stale": "döngüden önce okunanla değil, önceki turun .old_value değeriyle karşılaştırılsın",
  "instead-barrier": "beklemek yerine {barrier}(): workgroup'un bütün invocation'ları orada buluşur",
  "a-barrier": "bariyer",
} as const satisfies Readonly<Record<keyof typeof ACCESS_PHRASES | keyof typeof FINDING_PHRASES, string>>;
