import { render } from "preact";
import { App } from "./app.tsx";
import { startDropping, startPasting } from "./editor/begin.ts";
import { Boundary } from "./parts/boundary.tsx";
import { startTelling } from "./state/actions.ts";
import { startKeyboard } from "./state/commands.ts";
import { startInspecting } from "./state/inspect.ts";
import { startFollowingLanguage } from "./state/report-language.ts";
import { openSession } from "./state/session.ts";
import { startSettings } from "./state/settings.ts";
import { startTexts } from "./texts/texts.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/editor.css";

startSettings();
startTexts();
startFollowingLanguage();
startInspecting();
startKeyboard();
startPasting();
startDropping();
startTelling();
render(
  <Boundary>
    <App />
  </Boundary>,
  document.getElementById("app")!,
);
void openSession();
