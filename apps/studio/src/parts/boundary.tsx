/** Around everything: where the page breaks, files can still be had. */
import { Component, type ComponentChildren } from "preact";
import { t } from "../texts/texts.ts";
import { lazy } from "./lazy.tsx";

const Rescue = lazy(async () => (await import("./rescue.tsx")).Rescue);

export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly message: string | null }> {
  override state = { message: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ message: error instanceof Error ? error.message : String(error) });
  }

  override render() {
    const { message } = this.state;
    if (message === null) return this.props.children;
    const texts = t.value.work;
    return (
      <div class="rescue" role="alert">
        <h1>{texts.broken}</h1>
        <p>{texts.brokenExplain}</p>
        <Rescue />
        <pre class="faint">{message}</pre>
      </div>
    );
  }
}
