import { beginToWrite } from "../editor/begin.ts";
import { Editor } from "../editor/editor.tsx";
import { files, inspection, showsMemory, showsNonUniform } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { FileTabs } from "./file-tabs.tsx";
import { Problems } from "./problems.tsx";

export function CodePane() {
  const texts = t.value;
  return (
    <section class="code-pane" aria-label={texts.header.code}>
      <FileTabs />
      <div id="code-body" class={files.value.length === 0 ? "code-body empty" : "code-body"} role="tabpanel">
        <Editor />
        {files.value.length === 0 && (
          <button type="button" class="code-hint" onClick={beginToWrite}>
            {texts.editor.empty}
          </button>
        )}
      </div>
      {files.value.length > 0 && <MemoryLegend />}
      {files.value.length > 0 && <Problems />}
    </section>
  );
}

function MemoryLegend() {
  const texts = t.value.editor;
  const memory = inspection.value?.memory;
  if (memory === undefined || memory.accesses.length === 0) return null;
  return (
    <div class="memory-legend">
      <label>
        <input
          type="checkbox"
          checked={showsMemory.value}
          onChange={(event) => {
            showsMemory.value = event.currentTarget.checked;
          }}
        />
        {texts.sharedMemory}
      </label>
      {showsMemory.value &&
        (["read", "write", "atomic", "wait"] as const).map((kind) => (
          <span key={kind} class="legend-item">
            <span class={`memory-mark memory-${kind}`}>{{ read: "R", write: "W", atomic: "A", wait: "‖" }[kind]}</span>
            {texts.access[kind]}
          </span>
        ))}
      <label>
        <input
          type="checkbox"
          checked={showsNonUniform.value}
          onChange={(event) => {
            showsNonUniform.value = event.currentTarget.checked;
          }}
        />
        {texts.nonUniform}
      </label>
    </div>
  );
}
