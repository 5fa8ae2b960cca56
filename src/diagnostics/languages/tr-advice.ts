import type { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "../catalogue-advice.ts";

/** Advice in Turkish. */
export const ADVICE_TR = {
  "unreachable-code": "buraya hiç ulaşılmıyor",
  "unused-variable": "{what} ‘{name}’ hiç kullanılmıyor; ‘_’ ile başlayan bir ad bunun bilerek yapıldığını söyler",
  "never-read": "‘{name}’ yazılıyor ama hiç okunmuyor; onun için hesaplanan boşa gidiyor",
  "unused-parameter":
    "‘{function}’ fonksiyonunun ‘{name}’ parametresi hiç kullanılmıyor; ‘_’ ile başlayan bir ad bunun bilerek yapıldığını söyler",
  "unused-function": "hiçbir giriş noktası ‘{name}’ fonksiyonunu çağırmıyor, başkaları üzerinden de çağırmıyor",
  "unused-binding":
    "hiçbir giriş noktası ‘{name}’ kullanmıyor; otomatik bir layout içinde @group({group}) @binding({binding}) için giriş olmaz",
  "misleading-shadow": "bu, ikinci bir ‘{name}’ bildiriyor; bu bloktan sonra okunan dıştaki değişmiyor",
  "shadowed-builtin": "‘{name}’ aynı adlı yerleşik fonksiyonu gizliyor; aynı fonksiyon onu da çağırıyor",
  "exchange-result-ignored":
    "‘exchanged’ alanına bakan yok: ‘old_value’ beklenen değer olsa bile değişim yapılmamış olabilir",
  "exchange-not-retried":
    "zayıf bir değişim, değer beklenen değer olsa bile başarısız olabilir; döngü içinde yeniden denenmedikçe ‘exchanged’ alanının false olması bir şey göstermez",
  "stale-exchange":
    "bu, döngüden önce bir kez hesaplanıyor: değişim başarısız olduysa, o zamandan beri başkalarının değiştirdiği kaybolur",
  "old-value-as-new": "‘{name}’ önceki değeri döndürür; bu yüzden ‘{text}’ ile karşılaştırmak bir adım erken kalır",
  "unchecked-subtraction": "‘{place}’ işaretsizdir: 0 iken çıkarmak 4294967295 verir ve burada bunu önleyen yok",
  "take-and-put-back": "‘{place}’ içinden, bir şey kalıp kalmadığı bilinmeden alınıyor ve çok geç geri konuyor: {why}",
  "check-then-act": "‘{place}’ denetlendikten sonra, bu {name} yapılmadan başkaları da aynı denetimden geçebilir",
  "blind-write":
    "bu {name}, izin olup olmadığı bilinmeden ‘{place}’ değerini değiştiriyor; sonradan geri alınanı başkaları görmüş oluyor",
  "append-without-guard":
    "‘{index}’ değerini ‘{list}’ uzunluğunun altında tutan bir şey yok ve liste dolunca da sayaç saymayı sürdürüyor",
  "count-unsaturated":
    "‘{place}’ denemeleri sayıyor, yer kalmamış olanları da; bu yüzden eleman sayısından büyük olabilir",
  "float-bits-order": "‘{value}’ bitleri üzerinde {name} yalnızca pozitif sayılarda doğrudur: {problem}",
  "spin-on-memory":
    "bu döngü ancak başka bir invocation ‘{name}’ değerini değiştirince biter; ötekinin bu sırada ilerleyeceğini hiçbir şey güvence altına almaz",
  "mask-not-power-of-two":
    "‘{size} - 1’ bir maske değildir, çünkü {size} = {count} ikinin kuvveti değil: bazı sonuçlar hiç çıkmaz, bazıları fazla çıkar",
  "select-evaluates-both":
    "‘select’ her iki değeri de hesaplar; bu yüzden ‘{read}’ koşul okunmamasını söylediğinde de okunur",
  "barrier-kind":
    "‘{name}’ yalnızca {ordered} için sıra sağlar, oysa iki yanındaki ‘{variable}’ şurada: {space}; ‘{wanted}’ kullanılmalı",
  "barrier-across-workgroups": "‘{name}’ tek bir workgroup'un invocation'larını bekler, oysa ‘{variable}’ {why}",
  "missing-barrier":
    "‘{name}’ burada {verb}; aynı workgroup'un başka bir invocation'ı aynı elemanda olabilir ve arada bariyer yok",
  "lost-update": "birkaç invocation ‘{element}’ değerini aynı anda güncelliyor; güncellemeler kayboluyor",
  "repeated-barrier": "bu ‘{name}’ ile bir önceki arasında sıralanacak bir şey yok",
  "vec3-tucked-scalar":
    "‘{name}’ {offset}. bayttadır, ‘{vector}’ vektörünün {size} baytının hemen ardında: vec3 dört bileşene hizalanır ama üç bileşen yer kaplar",
  "vec3-array-stride":
    "bu dizinin elemanları {stride} bayt aralıklıdır, bunun {size} baytı kullanılır: {type} dört bileşene hizalanır",
  "struct-padding": "‘{name}’ {size} bayt kaplıyor; üyeleri başka sırada olsa {best}, yani {saved} bayt daha az",
  "above-default-limit":
    "‘{name}’ için değer {value} ({unit}); bir aygıt varsayılan olarak {most} kadarına izin verir ({limit})",
  "contended-address":
    "bütün invocation'lar bu {name} işlemini tek bir adreste, ‘{place}’ üzerinde yapıyor; bu yüzden sıraya giriyorlar",
  "contended-exchange":
    "bütün invocation'lar tek bir sözcüğü değiştiriyor: ‘{place}’; aynı anda deneyenlerden biri başarır, ötekiler yeniden dener",
  "not-in-target": "{browser} ({date} itibarıyla) bunu kabul etmiyor: {problem}",
  "allowance-without-reason":
    "gerekçe olmadan bu hiçbir şeye izin vermez: ‘// halay-allow-next-line {codes} -- burada neden doğru olduğu’ yazılmalı",
  "allowance-without-code": "burada hiçbir kod adı yok; bu hiçbir şeye izin vermez",
  "allowance-mark": "‘{mark}’ bir işaret değil ve hiçbir şeye izin vermez",
  "allowance-unknown": "izin verilebilecek ‘{code}’ diye bir kod yok",
} as const satisfies Readonly<Record<keyof typeof ADVICE, string>>;

export const ADVICE_NOTES_TR = {
  "leaves-before": "akış buradan çıkıyor",
  "written-here": "‘{name}’ burada yazılıyor",
  "builtin-called-here": "yerleşik ‘{name}’ burada çağrılıyor",
  "outer-read-here": "dıştaki ‘{name}’ burada okunuyor",
  returns: "{name} şunu döndürür: {what}",
  "next-round-elsewhere": "sonraki tur başka bir yeri dener; ‘old_value’ beklenen değer miydi diye kimse bakmıyor",
  "next-round-other": "sonraki tur başka bir değerden elde edileni saklar, bu değer ise kaybolur",
  "made-in-front": "‘{name}’ değişkeninin buradaki değerinden hesaplanıyor: döngüde, o andaki değerinden hesaplanmalı",
  "decides-here": "buna göre karar veriliyor",
  "compare-with-old": "son gelen ‘{wanted}’ değerini görür",
  "compare-own-value":
    "bu değerin kazanıp kazanmadığı eski değerle karşılaştırınca anlaşılır: {name} geçtiği bir değer döndürdüyse ‘{value}’ kazanmıştır",
  "take-only-if-left":
    "yalnızca bir şey kaldıysa alınmalı: ‘{place}’ yüklenip bir döngüde atomicCompareExchangeWeak ile bir eksiğiyle değiştirilebilir",
  "put-back-here": "burada geri konuyor",
  "checked-here": "‘{place}’ burada denetleniyor",
  "act-at-once": "ikisi bir döngüde atomicCompareExchangeWeak ile tek adımda yapılmalı",
  "check-and-act-at-once":
    "{name} ne döndürdüyse o denetlenmeli ya da ikisi bir döngüde atomicCompareExchangeWeak ile tek adımda yapılmalı",
  "taken-back-here": "burada geri alınıyor",
  "slot-from-here": "indeks şuradan geliyor: ‘{place}’",
  "guard-the-slot": "yalnızca ‘{index} < {bound}’ iken yazılmalı",
  "counts-attempts": "yer kalmayınca da ‘{place}’ burada saymayı sürdürüyor",
  "saturate-count":
    "kullanılmadan önce kapasiteye indirilmeli: yer yokken ‘atomicMin(&{place}, capacity)’ ya da okunduğu yerde ‘min(count, capacity)’",
  "order-of-bits": "‘{value}’ bitleri burada işaretiyle birlikte alınıyor",
  "guard-the-bits":
    "yalnızca 0x7f800000u değerine kadar olan bitler katılsın ya da bütün sayılar bir anahtarla sıralansın: negatiflerde bütün bitler, ötekilerde işaret biti çevrilir",
  "use-remainder": "‘% {size}’ her boyutta doğrudur",
  "select-condition": "bu, okumayı korumaz",
  "use-if": "bunun yerine bir ‘if’ içinde okunmalı: koşul okunup okunmayacağına yalnızca orada karar verir",
  "waits-here": "‘{name}’ değerine burada tekrar tekrar bakılıyor",
  "do-not-wait":
    "iş iki dispatch'e bölünebilir, workgroup içinde bir bariyerde beklenebilir ya da birkaç denemeden sonra vazgeçilebilir",
  "before-barrier": "‘{name}’ bundan önce burada kullanılıyor",
  "after-barrier": "‘{name}’ bundan sonra burada kullanılıyor",
  "by-one-of-dispatch":
    "‘{name}’ burada dispatch'in tek bir invocation'ı ya da tek bir workgroup tarafından kullanılıyor",
  "by-all-workgroups": "‘{name}’ burada bütün workgroup'lar tarafından kullanılıyor",
  "next-dispatch": "bu dispatch'in workgroup'larının ‘{name}’ içinde bıraktığının tümünü ancak sonraki dispatch görür",
  "written-by-another": "‘{name}’ burada yazılıyor",
  "read-by-another": "‘{name}’ burada okunuyor",
  "put-barrier": "aralarına, workgroup'un bütün invocation'larının ulaştığı bir yere ‘{barrier}();’ konmalı",
  "read-then-barrier-apart":
    "bir ‘if’ içinde bir değişkene okunmalı, başka birinde yazılmalı; aralarında, tüm invocation'ların ulaştığı yerde ‘{barrier}();’ olmalı",
  "read-then-barrier": "önce bir değişkene okunmalı, ardından ‘{barrier}();’, sonra yazılmalı",
  "barrier-at-end": "sonraki tur, bunun ardında bariyer olmadan başlıyor: döngünün sonuna ‘{barrier}();’ konmalı",
  "use-atomic-slot": "‘let slot = atomicAdd(&{place}, …);’ tek adımda okur ve sayar: ‘{place}’ yerine slot kullanılsın",
  "use-atomic-update":
    "‘atomic<{type}>’ yapılıp {atomic} kullanılmalı ya da her invocation ‘{name}’ içinde kendi elemanını almalı",
  "use-exchange-loop":
    "bitleri bir atomicCompareExchangeWeak döngüsünde değiştirilmeli ya da her invocation ‘{name}’ içinde kendi elemanını almalı",
  "first-barrier": "ilk ‘{name}’ burada",
  "pack-vec3": "vektör başına üç elemanlı ‘array<{scalar}>’ içinde boşluk kalmaz",
  "better-order": "şu sırayla: {names}",
  "require-limit": "adaptörde varsa ‘requiredLimits’ ile istenmeli: {limit}, en az {value}",
  "two-levels":
    "önce workgroup belleğinde toplanmalı, sonra her workgroup'tan bir invocation bu {name} işlemini bir kez yapmalı",
  "reduce-first": "önce workgroup belleğinde toplanmalı; böylece değişimi her workgroup'tan bir invocation yapar",
} as const satisfies Readonly<Record<keyof typeof ADVICE_NOTES, string>>;

export const ADVICE_PHRASES_TR = {
  "returns-atomicLoad": "değer",
  "returns-atomicStore": "hiçbir şey",
  "returns-atomicAdd": "toplamadan önceki eski değer",
  "returns-atomicSub": "çıkarmadan önceki eski değer",
  "returns-atomicMax": "eski değer; yerine yenisi geçmediyse o ana kadarki en büyük değer odur",
  "returns-atomicMin": "eski değer; yerine yenisi geçmediyse o ana kadarki en küçük değer odur",
  "returns-atomicAnd": "bütün bitleriyle eski değer",
  "returns-atomicOr": "yeni bitler olmadan eski değer",
  "returns-atomicXor": "bitler çevrilmeden önceki eski değer",
  "returns-atomicExchange": "artık başka hiçbir yerde bulunmayan eski değer",
  "returns-atomicCompareExchangeWeak":
    "‘old_value’ ve ‘exchanged’; ‘old_value’ karşılaştırılan değer olsa bile ‘exchanged’ false olabilir",
  "returns-workgroupUniformLoad": "workgroup'un bütün invocation'ları için aynı olan değer",
  "one-and-all": "bir yanda tek bir invocation, öte yanda bütün workgroup'lar tarafından kullanılıyor",
  "across-borders": "workgroup sınırlarının ötesinde, invocation ve komşusu tarafından kullanılıyor",
  "updated-by-all": "ondan önce bütün workgroup'larca değiştiriliyor, ondan sonra hepsince okunuyor",
  "storage-buffers": "storage buffer'lar",
  "workgroup-memory": "workgroup belleği",
  "signed-test-fails": "başkaları o sırada geri koyuyorsa ‘<= 0’ denetimi yanılır",
  "wrapped-looks-plenty": "başkaları taşmış değerle karşılaşıp çok var sanır",
  "negative-out-of-order": "negatif sayılar yanlış sıraya girer ve NaN büyük sayılır",
  "negative-beat-positive": "-0.0 ve bütün negatif sayılar bütün pozitiflerden büyük çıkar, NaN da öyle",
  "invocations-along": "{axis} yönünde invocation",
  "invocations-in-workgroup": "bir workgroup içindeki invocation",
  "bytes-of-workgroup-memory": "bayt workgroup belleği",
  "bytes-in-buffer": "bir {space} buffer içinde bayt",
  "uniform-buffers": "uniform buffer",
  samplers: "sampler",
  "storage-textures": "storage texture",
  "sampled-textures": "örneklenen texture",
  "bind-groups": "bind group",
  "binding-numbers": "bir gruptaki binding numarası",
} as const satisfies Readonly<Record<keyof typeof ADVICE_PHRASES, string>>;
