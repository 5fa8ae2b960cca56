/** Of one step: which buffer each variable is bound to, and which two change names after each repetition. */
import { useSignal } from "@preact/signals";
import type { Step } from "halay";
import { Fragment } from "preact";
import { WrittenInput } from "../parts/written-field.tsx";
import { editLaunch, setMember, stepOf } from "../state/edit-launch.ts";
import { later } from "../texts/later.ts";

interface BindFieldsProps {
  readonly given: Step;
  /** Of the step, from 0. */
  readonly number: number;
  /** Of the variables of its shader. */
  readonly variables: readonly string[];
  /** Of all buffers of the launch. */
  readonly buffers: readonly string[];
}

export function BindFields({ given, number, variables, buffers }: BindFieldsProps) {
  const texts = later.value.launch;
  const list = `buffers-of-step-${number}`;
  const isOther = given.bind !== undefined || given.swap !== undefined;
  return (
    <details open={isOther}>
      <summary>{texts.bindings}</summary>
      <div class="step-bindings">
        <datalist id={list}>
          {buffers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {variables.map((name) => (
          <label class="field" key={name}>
            <code>{name}</code>
            <WrittenInput
              type="text"
              list={list}
              spellcheck={false}
              aria-label={`${texts.step(number + 1)}: ${texts.boundTo(name)}`}
              placeholder={name}
              value={given.bind?.[name] ?? ""}
              onWritten={(text) => {
                const buffer = text.trim();
                editLaunch((launch) =>
                  setMember(stepOf(launch, number), "bind", name, buffer === "" ? undefined : buffer),
                );
              }}
            />
          </label>
        ))}
        {(given.swap !== undefined || (given.repeat ?? 1) > 1) && (
          <SwapField given={given} number={number} list={list} />
        )}
      </div>
    </details>
  );
}

/** Written when both names are there. */
function SwapField({ given, number, list }: { readonly given: Step; readonly number: number; readonly list: string }) {
  const texts = later.value.launch;
  const half = useSignal<readonly [string, string]>(["", ""]);
  const shown = given.swap ?? half.value;
  const change = (at: 0 | 1, text: string) => {
    const next: readonly [string, string] = at === 0 ? [text.trim(), shown[1]] : [shown[0], text.trim()];
    half.value = next;
    editLaunch((launch) => {
      const step = stepOf(launch, number);
      if (next.every((name) => name !== "")) step.swap = [...next];
      else delete step.swap;
    });
  };
  return (
    <div class="field">
      <span aria-hidden="true">{texts.swap}</span>
      <div class="row">
        {([0, 1] as const).map((at) => (
          <Fragment key={at}>
            {at === 1 && <span aria-hidden="true">↔</span>}
            <WrittenInput
              class="swap-name"
              type="text"
              list={list}
              spellcheck={false}
              aria-label={`${texts.step(number + 1)}: ${texts.swap} ${at + 1}`}
              value={shown[at]}
              onWritten={(text) => change(at, text)}
            />
          </Fragment>
        ))}
      </div>
    </div>
  );
}
