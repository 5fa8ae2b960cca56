import { CodePane } from "./parts/code-pane.tsx";
import { Header } from "./parts/header.tsx";
import { lazy } from "./parts/lazy.tsx";
import { Notice } from "./parts/notice.tsx";
import { PanelPane } from "./parts/panel-pane.tsx";
import { Splitter } from "./parts/splitter.tsx";
import { split } from "./state/settings.ts";
import { dialog, files, showsCode } from "./state/store.ts";

const Dialogs = lazy(
  async () => (await import("./parts/dialogs.tsx")).Dialogs,
  // Else all keys would wait for it to be closed.
  () => {
    dialog.value = null;
  },
);

export function App() {
  return (
    <div class={showsCode.value && files.value.length > 0 ? "app shows-code" : "app shows-panel"}>
      <Header />
      <main class="panes" style={{ "--split": `${split.value}%` }}>
        <CodePane />
        <Splitter />
        <PanelPane />
      </main>
      {dialog.value !== null && <Dialogs />}
      <Notice />
    </div>
  );
}
