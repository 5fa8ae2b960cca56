import { render } from "preact";
import { App } from "./app.tsx";
import { startKeyboard } from "./state/commands.ts";
import { startInspecting } from "./state/inspect.ts";
import { openSession } from "./state/session.ts";
import { startSettings } from "./state/settings.ts";
import { startTexts } from "./texts/texts.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/editor.css";
import "./styles/panels.css";

startSettings();
startTexts();
startInspecting();
startKeyboard();
render(<App />, document.getElementById("app")!);
void openSession();
