import { inspect } from "node:util";
import { expect, test } from "vitest";
import { domString, sequence, size32 } from "./convert.ts";
import { defineInterface, defineNamespace, leftAs, needed, operation, promiseOperation } from "./interface.ts";

interface Thing {
  label: string;
}

const Thing = defineInterface<Thing, { label: string }>("Thing", {
  attributes: {
    label: {
      get: ({ label }) => label,
      set: (thing, value) => {
        thing.label = domString(value, "label");
      },
    },
    fixed: { get: () => 1 },
  },
  operations: {
    add: operation([needed(size32), leftAs(size32, 10)], (thing, a, b) => `${thing.label} ${a + b}`),
    later: promiseOperation([needed(sequence(size32))], async (_, list) => list.length),
  },
});

const object: Thing = { label: "one" };
// biome-ignore lint/suspicious/noExplicitAny: what applications write in JavaScript
const wrapper = Thing.wrap(object) as any;

test("an internal object has one wrapper", () => {
  expect(Thing.wrap(object)).toBe(wrapper);
  expect(Thing.unwrap(wrapper)).toBe(object);
  expect(Thing.unwrap({})).toBeNull();
  expect(() => Thing.convert({}, "argument 1")).toThrow(new TypeError("argument 1 must be a Thing"));
});

test("nobody else can make instances", () => {
  expect(wrapper).toBeInstanceOf(Thing.interfaceObject);
  expect(wrapper.constructor.name).toBe("Thing");
  expect(String(wrapper)).toBe("[object Thing]");
  expect(() => new Thing.interfaceObject()).toThrow(/illegal constructor: Thing/);
});

test("attributes and operations are properties of the prototype", () => {
  expect(Object.keys(wrapper)).toEqual([]);
  expect(Object.keys(Object.getPrototypeOf(wrapper))).toEqual(["label", "fixed", "add", "later"]);
  expect(wrapper.add.length).toBe(1);
  expect(wrapper.add.name).toBe("add");
  expect(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(wrapper), "label")?.get?.name).toBe("get label");
});

test("consoles show the attributes", () => {
  expect(inspect(wrapper)).toBe("Thing { label: 'one', fixed: 1 }");
  expect(inspect({ a: { b: { c: wrapper } } })).toBe("{ a: { b: { c: [Thing] } } }");
});

test("arguments are converted, defaults filled in", async () => {
  expect(wrapper.add("5")).toBe("one 15");
  expect(wrapper.add(5, undefined)).toBe("one 15");
  expect(wrapper.add(5, 6)).toBe("one 11");
  expect(await wrapper.later([1, 2])).toBe(2);
});

test("attributes can be set where they can", () => {
  wrapper.label = 3;
  expect(wrapper.label).toBe("3");
  expect(() => {
    wrapper.fixed = 3;
  }).toThrow(TypeError);
});

test("wrong calls", async () => {
  expect(() => wrapper.add()).toThrow(new TypeError("Thing.add() takes at least 1 argument; 0 given"));
  expect(() => wrapper.add(-1)).toThrow(/^argument 1 of Thing.add\(\) must be an integer/);
  expect(() => wrapper.add.call({}, 1)).toThrow(/Thing.add\(\): illegal invocation/);
  await expect(wrapper.later(5)).rejects.toThrow(TypeError);
  await expect(wrapper.later.call({}, [])).rejects.toThrow(/illegal invocation/);
});

test("namespaces hold constants", () => {
  const Bits = defineNamespace("Bits", { A: 1, B: 2 });
  expect(String(Bits)).toBe("[object Bits]");
  expect(Object.entries(Bits)).toEqual([
    ["A", 1],
    ["B", 2],
  ]);
  expect(Object.getOwnPropertyDescriptor(Bits, "A")).toEqual({
    value: 1,
    enumerable: true,
    writable: false,
    configurable: false,
  });
});
