/** The examples of the repository: files of their own, fetched when somebody opens one. */
import { t } from "../texts/texts.ts";
import { tell } from "./store.ts";
import { openInstead } from "./work.ts";

export async function openExample(name: string): Promise<void> {
  try {
    const launchFile = `${name}.launch.json`;
    const launchText = await textOf(launchFile);
    const { shader, steps = [] } = JSON.parse(launchText) as {
      readonly shader?: string;
      readonly steps?: readonly { readonly shader?: string }[];
    };
    const shaders = [...new Set([shader, ...steps.map((step) => step.shader)])].filter((each) => each !== undefined);
    const texts = await Promise.all(shaders.map(async (each) => ({ name: each, text: await textOf(each) })));
    openInstead([...texts, { name: launchFile, text: launchText }]);
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), "error");
  }
}

async function textOf(name: string): Promise<string> {
  const { addressOf } = await import("./example-files.ts");
  const address = addressOf.get(name);
  const response = address === undefined ? null : await fetch(new URL(address, document.baseURI));
  if (response?.ok !== true) throw new Error(t.value.work.notFetched(name));
  return response.text();
}
