import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepData, keptData, MOST_KEPT } from "./kept-data.ts";

/** A database as browsers have it, as far as it is used. */
function database(items: Map<string, Uint8Array>, isForbidden: () => boolean) {
  const key = (parts: readonly string[]) => parts.join("/");
  const store = {
    put: (bytes: Uint8Array, place: readonly string[]) => void items.set(key(place), bytes),
    delete: (place: readonly string[]) => void items.delete(key(place)),
    get: (place: readonly string[]) => ({ result: items.get(key(place)) }),
  };
  const transaction = () => {
    const made = { objectStore: () => store, oncomplete: () => {} };
    setTimeout(() => made.oncomplete());
    return made;
  };
  return {
    open() {
      const made = { result: { transaction, close() {} }, error: null, onsuccess: () => {}, onerror: () => {} };
      setTimeout(() => (isForbidden() ? made.onerror() : made.onsuccess()));
      return made;
    },
  };
}

let items = new Map<string, Uint8Array>();
let forbidden = false;
beforeEach(() => {
  items = new Map();
  forbidden = false;
  vi.stubGlobal(
    "indexedDB",
    database(items, () => forbidden),
  );
});
afterEach(() => vi.unstubAllGlobals());

const small = new Uint8Array(MOST_KEPT * 0.6);
const large = new Uint8Array(MOST_KEPT * 0.7);

test("what did not fit is kept as soon as there is room for it", async () => {
  const all = new Map(Object.entries({ small, large }));
  expect(await keepData("a", all)).toEqual({ names: ["large"], why: "full" });
  expect([...items.keys()]).toEqual(["a/small"]);
  // It is said once.
  expect(await keepData("a", new Map([...all, ["tiny", Uint8Array.of(1)]]))).toBeNull();
  expect(await keepData("a", new Map(Object.entries({ large })))).toBeNull();
  expect([...items.keys()]).toEqual(["a/large"]);
});

test("what no longer fits is said, and takes no room", async () => {
  expect(await keepData("b", new Map(Object.entries({ large })))).toBeNull();
  expect(await keepData("b", new Map(Object.entries({ large, small })))).toEqual({ names: ["large"], why: "full" });
  expect([...items.keys()]).toEqual(["b/small"]);
  expect([...(await keptData("b", ["small", "large"])).keys()]).toEqual(["small"]);
});

test("what could not be written is written with the next change", async () => {
  forbidden = true;
  const one = new Map([["one", Uint8Array.of(1)]]);
  expect(await keepData("c", one)).toEqual({ names: ["one"], why: "forbidden" });
  expect(await keepData("c", one)).toBeNull();
  forbidden = false;
  expect(await keepData("c", new Map([...one, ["two", Uint8Array.of(2)]]))).toBeNull();
  expect([...items.keys()]).toEqual(["c/one", "c/two"]);
});
