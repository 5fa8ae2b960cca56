import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keptWork, lastWork, PREFIX, workOfTab } from "./read-work.ts";
import type { Snapshot } from "./work.ts";
import { earlierWork, forgetWork, keepWork, putAside, rememberWork } from "./write-work.ts";

/** As browsers have them, with an end. */
function storage(most: number): Storage {
  const items: Record<string, string> = Object.create(null);
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    removeItem: (key: string) => {
      delete items[key];
    },
    setItem(key: string, text: string) {
      const used = Object.entries(items).reduce((sum, [name, each]) => sum + (name === key ? 0 : each.length), 0);
      if (used + text.length > most) throw new DOMException("full", "QuotaExceededError");
      items[key] = text;
    },
  };
  return new Proxy(methods as Storage, {
    ownKeys: () => Object.keys(items),
    getOwnPropertyDescriptor: (_, key) => ({ value: items[String(key)], enumerable: true, configurable: true }),
  });
}

beforeEach(() => {
  vi.stubGlobal("localStorage", storage(10_000));
  vi.stubGlobal("sessionStorage", storage(10_000));
  vi.stubGlobal("navigator", {});
});
afterEach(() => vi.unstubAllGlobals());

function snapshot(id: string, text: string, isOwn = true): Snapshot {
  const files = [{ name: `${id}.wgsl`, text }];
  const data = new Map([["v.bin", Uint8Array.of(1)]]);
  return { work: { id, isOwn, wasChanged: false, files, data, number: 1 }, files, active: `${id}.wgsl`, data };
}

test("what was changed is there on the next visit, beside all that was kept before", async () => {
  keepWork(snapshot("a", "first"), true, 1);
  keepWork(snapshot("b", "second"), true, 2);
  keepWork(snapshot("link", "third", false), true, 3);
  expect(await lastWork()).toBe("b");
  expect(workOfTab()).toBe("link");
  expect(keptWork("a")).toMatchObject({ files: [{ text: "first" }], active: "a.wgsl", data: ["v.bin"], isOwn: true });
  expect(earlierWork().map(({ id }) => id)).toEqual(["link", "b", "a"]);
});

test("what was only opened is there for a reload of its tab, and nowhere else", async () => {
  keepWork(snapshot("a", "first"), false, 1);
  expect(workOfTab()).toBe("a");
  expect(keptWork("a")).toMatchObject({ wasChanged: false });
  expect(earlierWork()).toEqual([]);
  keepWork(snapshot("b", "second"), false, 2);
  expect([workOfTab(), keptWork("a")]).toEqual(["b", null]);
  vi.stubGlobal("sessionStorage", storage(10_000));
  expect([workOfTab(), await lastWork(), keptWork("a")]).toEqual(["", "", null]);
});

test("any number of files is kept", () => {
  vi.stubGlobal("localStorage", storage(1e6));
  const files = Array.from({ length: 500 }, (_, i) => ({ name: `${i}.wgsl`, text: "x" }));
  keepWork({ ...snapshot("a", ""), files }, true, 1);
  expect(keptWork("a")?.files).toEqual(files);
});

test("work that another tab has open is not opened twice", async () => {
  keepWork(snapshot("a", "first"), true, 1);
  vi.stubGlobal("navigator", { locks: { query: async () => ({ held: [{ name: `${PREFIX}a` }] }) } });
  expect(await lastWork()).toBe("");
});

test("what is closed is not opened again, and stays", async () => {
  keepWork(snapshot("a", "first"), true, 1);
  putAside("a");
  expect([workOfTab(), await lastWork()]).toEqual(["", ""]);
  expect(earlierWork()).toHaveLength(1);
  const text = forgetWork("a");
  expect(earlierWork()).toEqual([]);
  rememberWork("a", text);
  expect(keptWork("a")).toMatchObject({ files: [{ text: "first" }] });
});

test("where storage is full it says so, and the tab has the newest text nevertheless", () => {
  keepWork(snapshot("a", "first"), true, 1);
  const long = "x".repeat(9_800);
  expect(keepWork(snapshot("b", long), true, 2)).toBe("full");
  expect(keptWork("a")).toMatchObject({ files: [{ text: "first" }] });
  expect(keptWork("b")?.files[0].text === long).toBe(true);
  // It is offered as long as the tab is there.
  expect(earlierWork().map(({ id }) => id)).toEqual(["b", "a"]);
  forgetWork("a");
  expect(keepWork(snapshot("b", "short"), true, 3)).toBe("kept");
  expect(keptWork("b")?.files[0].text).toBe("short");
});

test("where storage is forbidden it says so, and nothing breaks", async () => {
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  }
  expect(keepWork(snapshot("a", "first"), true, 1)).toBe("forbidden");
  expect([workOfTab(), await lastWork(), keptWork("a")]).toEqual(["", "", null]);
  expect(earlierWork()).toEqual([]);
  putAside("a");
  forgetWork("a");
});

test("whatever storage holds, what is understood of it can be opened", () => {
  const kept = fc.record(
    {
      files: fc.oneof(fc.array(fc.oneof(fc.tuple(fc.string(), fc.string()), fc.jsonValue())), fc.jsonValue()),
      active: fc.jsonValue(),
      isOwn: fc.jsonValue(),
      wasChanged: fc.jsonValue(),
      changed: fc.jsonValue(),
      data: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    kept.map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, (given) => {
      vi.stubGlobal("localStorage", storage(1e6));
      localStorage.setItem(`${PREFIX}a`, given);
      const found = keptWork("a");
      expect(earlierWork()).toHaveLength(found?.wasChanged === true ? 1 : 0);
      if (found === null) return;
      expect(found.files.length).toBeGreaterThan(0);
      expect([typeof found.isOwn, typeof found.wasChanged, typeof found.changed]).toEqual([
        "boolean",
        "boolean",
        "number",
      ]);
      expect(found.data.every((name) => typeof name === "string")).toBe(true);
    }),
  );
});
