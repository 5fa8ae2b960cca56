/** Which dialog is open, if any. */
import { dialog } from "../state/store.ts";
import { CommandPalette } from "./command-palette.tsx";
import { ExamplesDialog } from "./examples-dialog.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";

export function Dialogs() {
  switch (dialog.value) {
    case "commands":
      return <CommandPalette />;
    case "shortcuts":
      return <ShortcutsDialog />;
    case "examples":
      return <ExamplesDialog />;
    case "share":
      return <ShareDialog />;
    case "rename":
      return <RenameDialog />;
    case null:
      return null;
  }
}
