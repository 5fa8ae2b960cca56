/** Files for buffers as the browser's database holds them, by work and name. The database may be forbidden or full. */
import { type NotKept, whyNotKept } from "./write-work.ts";

const NAME = "halay-studio";
const STORE = "data";
/** Of one piece of work, in bytes. */
export const MOST_KEPT = 128 * 2 ** 20;

type Data = ReadonlyMap<string, Uint8Array>;

interface Known {
  /** What was last to be kept, and what of it is there. */
  readonly given: Data;
  readonly kept: Data;
}

/** Of each work, by its id. */
const known = new Map<string, Known>();
let queue: Promise<unknown> = Promise.resolve();

export interface DataNotKept {
  readonly names: readonly string[];
  readonly why: NotKept;
}

/** null: all are kept, or it was said before which are not. */
export function keepData(id: string, data: Data): Promise<DataNotKept | null> {
  const result = queue.then(() => write(id, data));
  queue = result;
  return result;
}

async function write(id: string, data: Data): Promise<DataNotKept | null> {
  const { given, kept } = known.get(id) ?? { given: new Map(), kept: new Map() };
  if (data === given) return null;
  const fits = fitting(data);
  const added = [...fits].filter(([name, bytes]) => kept.get(name) !== bytes);
  const gone = [...kept.keys()].filter((name) => !fits.has(name));
  known.set(id, { given: data, kept: fits });
  try {
    if (added.length > 0 || gone.length > 0) {
      await inStore("readwrite", (store) => {
        for (const name of gone) store.delete([id, name]);
        for (const [name, bytes] of added) store.put(bytes, [id, name]);
      });
    }
    const left = [...data].filter(([name]) => !fits.has(name));
    // Said when it comes, and when it has to go.
    return notKept(
      left.filter(([name, bytes]) => given.get(name) !== bytes || kept.get(name) === bytes),
      "full",
    );
  } catch (error) {
    known.set(id, { given: data, kept });
    return notKept(
      [...data].filter(([name, bytes]) => given.get(name) !== bytes),
      whyNotKept(error),
    );
  }
}

function notKept(files: readonly (readonly [string, Uint8Array])[], why: NotKept): DataNotKept | null {
  return files.length === 0 ? null : { names: files.map(([name]) => name), why };
}

/** The smallest first, so that most of them are kept. */
function fitting(data: Data): Data {
  let left = MOST_KEPT;
  const inOrder = [...data].sort(([, a], [, b]) => a.length - b.length);
  return new Map(
    inOrder.filter(([, bytes]) => {
      left -= bytes.length;
      return left >= 0;
    }),
  );
}

export async function keptData(id: string, names: readonly string[]): Promise<Data> {
  try {
    const requests = await inStore("readonly", (store) => names.map((name) => store.get([id, name])));
    const found = new Map<string, Uint8Array>();
    requests.forEach(({ result }, i) => {
      if (result instanceof Uint8Array) found.set(names[i], result);
    });
    known.set(id, { given: found, kept: found });
    return found;
  } catch {
    return new Map();
  }
}

export async function forgetData(id: string): Promise<void> {
  known.delete(id);
  await inStore("readwrite", (store) => store.delete(IDBKeyRange.bound([id], [id, []]))).catch(() => {});
}

/** All work of which there is some. */
export async function idsOfData(): Promise<readonly string[]> {
  try {
    const { result } = await inStore("readonly", (store) => store.getAllKeys());
    return [...new Set((result as unknown as readonly (readonly [string, string])[]).map(([id]) => id))];
  } catch {
    return [];
  }
}

/** Resolves when the transaction is complete. */
async function inStore<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => T): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
    const result = action(transaction.objectStore(STORE));
    await done;
    return result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("refused"));
    request.onblocked = () => reject(new Error("blocked"));
  });
}
