import type { Launch } from "halay";
import { IconButton } from "../parts/icon-button.tsx";
import { editLaunch } from "../state/edit-launch.ts";
import { later } from "../texts/later.ts";
import { AddName } from "./launch-expect.tsx";

interface ReadFieldsetProps {
  readonly current: Launch;
  /** Of the buffers. */
  readonly names: readonly string[];
}

/** What is read back in the end, where it is not all that was written. */
export function ReadFieldset({ current: { read = [] }, names }: ReadFieldsetProps) {
  const texts = later.value.launch;
  const write = (paths: readonly string[]) =>
    editLaunch((launch) => {
      if (paths.length === 0) delete launch.read;
      else launch.read = paths;
    });
  return (
    <fieldset class="fields">
      <legend>{texts.read}</legend>
      {read.length === 0 && <p class="faint">{texts.readAll}</p>}
      <ul class="data-files">
        {read.map((path, i) => (
          <li key={`${i}-${path}`} class="row">
            <code>{path}</code>
            <IconButton
              icon="close"
              label={texts.remove(path)}
              onPress={() => write(read.filter((_, other) => other !== i))}
            />
          </li>
        ))}
      </ul>
      <AddName
        label={texts.readOf}
        names={names.filter((name) => !read.includes(name))}
        onAdd={(path) => write([...read, path])}
      />
    </fieldset>
  );
}
