/** Work that the browser keeps, to go on with. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { unkept } from "../state/keeping.ts";
import { listed } from "../state/names.ts";
import { openElsewhere } from "../state/read-work.ts";
import { openKept } from "../state/session.ts";
import { languageName } from "../state/settings.ts";
import { tell, work } from "../state/store.ts";
import { openAgain } from "../state/work.ts";
import { type EarlierWork, earlierWork, forgetWork, rememberWork } from "../state/write-work.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "./icon-button.tsx";

export function Earlier() {
  const all = useSignal<readonly EarlierWork[]>([]);
  const elsewhere = useSignal<ReadonlySet<string>>(new Set());
  const current = work.value.id;
  const refresh = async () => {
    elsewhere.value = await openElsewhere();
    const kept = earlierWork();
    const others = [...unkept.values()].filter(({ work: { id } }) => kept.every((each) => each.id !== id));
    const changed = Date.now();
    all.value = [
      ...others.map(({ work: { id }, files }) => ({ id, names: files.map(({ name }) => name), changed })),
      ...kept,
    ];
  };
  useEffect(() => {
    void refresh();
  }, [current]);
  const texts = t.value.work;
  const others = all.value.filter(({ id }) => id !== current);
  if (others.length === 0) return null;
  return (
    <>
      <h3>{texts.earlier}</h3>
      <ul class="start-examples">
        {others.map((each) => (
          <EarlierRow key={each.id} earlier={each} isElsewhere={elsewhere.value.has(each.id)} refresh={refresh} />
        ))}
      </ul>
    </>
  );
}

function open(id: string): void {
  const here = unkept.get(id);
  if (here === undefined) openKept(id);
  else openAgain(here);
}

interface EarlierRowProps {
  readonly earlier: EarlierWork;
  readonly isElsewhere: boolean;
  readonly refresh: () => Promise<void>;
}

function EarlierRow({ earlier: { id, names, changed }, isElsewhere, refresh }: EarlierRowProps) {
  const texts = t.value.work;
  const label = listed(names);
  const when = new Date(changed).toLocaleString(languageName.value, { dateStyle: "medium", timeStyle: "short" });
  if (isElsewhere) {
    return (
      <li>
        <bdi>{label}</bdi>
        <span class="faint">{texts.elsewhere}</span>
      </li>
    );
  }
  const forget = () => {
    const here = unkept.get(id);
    const text = forgetWork(id);
    unkept.delete(id);
    void refresh();
    const undo = () => {
      if (here === undefined) rememberWork(id, text);
      else unkept.set(id, here);
      void refresh();
    };
    tell(texts.forgotten(label), "info", { label: texts.undo, run: undo });
  };
  return (
    <li>
      <button type="button" class="link" onClick={() => open(id)}>
        <bdi>{label}</bdi>
      </button>
      <span class="faint">{when}</span>
      <IconButton icon="close" label={texts.forget(label)} onPress={forget} />
    </li>
  );
}
