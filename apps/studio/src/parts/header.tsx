import { takeFiles } from "../editor/begin.ts";
import { commands, keysText } from "../state/commands.ts";
import { LANGUAGES, type Language, languageName, theme, toggleTheme } from "../state/settings.ts";
import { dialog } from "../state/store.ts";
import { LANGUAGE_NAMES, t } from "../texts/texts.ts";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";

export function Header() {
  const texts = t.value;
  return (
    <header class="header">
      <h1 class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M9 5v9M16 5v9M23 5v9M9 22v5M16 22v5M23 22v5" />
          <path class="brand-line" d="M4 18h24" />
        </svg>
        halay
      </h1>
      <nav class="header-main" aria-label={texts.header.files}>
        <HeaderButton icon="book" name="examples" open="examples" />
        <label class="button" title={texts.commands.openFile}>
          <Icon name="folder" />
          <span class="wide-only">{texts.header.open}</span>
          <input
            id="open-files"
            aria-label={texts.commands.openFile}
            class="unseen"
            type="file"
            multiple
            onChange={(event) => {
              void takeFiles([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
        </label>
        <HeaderButton icon="share" name="share" open="share" />
      </nav>
      <div class="header-side">
        <HeaderButton icon="command" name="palette" open="commands" />
        <HeaderButton icon="keyboard" name="shortcuts" open="shortcuts" />
        <IconButton icon={theme.value === "dark" ? "sun" : "moon"} label={texts.commands.theme} onPress={toggleTheme} />
        <select
          class="quiet language"
          aria-label={texts.header.language}
          value={languageName.value}
          onChange={(event) => {
            languageName.value = event.currentTarget.value as Language;
          }}
        >
          {LANGUAGES.map((each) => (
            <option key={each} value={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
      </div>
    </header>
  );
}

interface HeaderButtonProps {
  readonly icon: IconName;
  readonly name: "examples" | "share" | "palette" | "shortcuts";
  readonly open: NonNullable<typeof dialog.value>;
}

function HeaderButton({ icon, name, open }: HeaderButtonProps) {
  const title = t.value.commands[name];
  const keys = commands.find((each) => each.name === name)?.keys ?? null;
  return (
    <button
      type="button"
      class={name === "palette" ? "quiet palette" : name === "shortcuts" ? "quiet icon-only" : undefined}
      title={keys === null ? title : `${title} (${keysText(keys)})`}
      onClick={() => {
        dialog.value = open;
      }}
    >
      <Icon name={icon} />
      <span class={name === "palette" ? "roomy-only" : name === "shortcuts" ? "unseen" : "wide-only"}>{title}</span>
      {name === "palette" && keys !== null && <kbd class="roomy-only">{keysText(keys)}</kbd>}
    </button>
  );
}
