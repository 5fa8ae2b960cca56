import { expect, test } from "vitest";
import { fromFragment, toFragment } from "./share.ts";

const session = {
  files: [
    { name: "a.wgsl", text: "// çok güzel\n".repeat(200) },
    { name: "b.json", text: "{}" },
  ],
  active: "b.json",
};

test("a session comes back from its fragment, which is short and needs no escapes", async () => {
  const fragment = await toFragment(session);
  expect(fragment).toMatch(/^#s=[\w-]+$/);
  expect(fragment.length).toBeLessThan(300);
  expect(await fromFragment(fragment)).toEqual(session);
});

test.each(["", "#", "#s=", "#s=%%%", "#s=AAAA", "#s=eyJ9"])("‘%s’ holds none", async (fragment) => {
  expect(await fromFragment(fragment)).toBe(null);
});
