import { commands, keysText } from "../state/commands.ts";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";

export function ShortcutsDialog() {
  const texts = t.value;
  return (
    <Dialog title={texts.commands.shortcuts}>
      <table class="shortcuts">
        <tbody>
          {commands.map(({ name, keys }) =>
            keys === null ? null : (
              <tr key={name}>
                <td>{texts.commands[name]}</td>
                <td>
                  <kbd>{keysText(keys)}</kbd>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      <p class="faint">{texts.editor.leaveHint}</p>
    </Dialog>
  );
}
