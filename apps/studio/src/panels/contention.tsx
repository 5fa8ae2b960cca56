import { useSignal } from "@preact/signals";
import type { JsonProfile } from "halay";
import { EmptyPanel } from "../parts/empty-panel.tsx";
import { HeatMap } from "../parts/heat-map.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { FoundIn, Outdated, PlaceLink } from "../parts/place-link.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { profileReport } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import "../styles/panels.css";

export function ContentionPanel() {
  const texts = later.value.contention;
  const shown = profileReport.value;
  if (shown === null) {
    return <EmptyPanel text={texts.empty} icon="chart" task="profile" action={t.value.commands.profile} />;
  }
  return (
    <FoundIn.Provider value={shown.texts}>
      <div class="contention">
        <Outdated texts={shown.texts} />
        <ProblemList items={shown.findings ?? []} />
        <ProblemList items={shown.diagnostics} />
        {shown.profile?.map((each, i) => (
          <DispatchProfile key={i} profile={each} />
        ))}
      </div>
    </FoundIn.Provider>
  );
}

function DispatchProfile({ profile }: { readonly profile: JsonProfile }) {
  const texts = later.value.contention;
  const { entry, invocations, workgroups, dispatches } = profile;
  const variables = [...new Set(profile.addresses.map(({ variable }) => variable))];
  return (
    <section class="dispatch-profile" aria-label={entry}>
      <h3>{entry}</h3>
      <p class="faint">{texts.size(dispatches, workgroups, invocations)}</p>
      {variables.length === 0 && <p>{texts.noAtomics}</p>}
      {variables.map((variable) => (
        <AddressHeat key={variable} variable={variable} profile={profile} />
      ))}
      <Places profile={profile} />
      <TwoLevel profile={profile} />
    </section>
  );
}

/** One cell for each word between the first and the last address with an operation. */
function AddressHeat({ variable, profile }: { readonly variable: string; readonly profile: JsonProfile }) {
  const texts = later.value.contention;
  const shown = useSignal(8);
  const own = profile.addresses.filter((address) => address.variable === variable);
  const words = own.map(({ byteOffset }) => byteOffset >> 2);
  const first = Math.min(...words);
  const values = new Float64Array(Math.max(...words) - first + 1);
  for (const { byteOffset, operations } of own) values[(byteOffset >> 2) - first] += operations;
  const total = own.reduce((sum, { operations }) => sum + operations, 0);
  return (
    <div class="address-heat">
      <h4>
        <code>{variable}</code> <span class="faint">{texts.operationsAt(total, own.length)}</span>
      </h4>
      {values.some((value) => value !== values[0]) && (
        <HeatMap
          values={values}
          across={Math.min(32, values.length)}
          label={texts.heatLabel(variable)}
          scalar="u32"
          fromZero
        />
      )}
      <div class="table-scroll goes-on">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{texts.address}</th>
              <th scope="col" class="number">
                {texts.operations}
              </th>
              <th scope="col">{texts.share}</th>
              <th scope="col" class="number">
                {texts.invocations}
              </th>
              <th scope="col" class="number">
                {texts.workgroups}
              </th>
            </tr>
          </thead>
          <tbody>
            {own.slice(0, shown.value).map((address) => (
              <tr key={address.byteOffset}>
                <td>
                  <code>{address.path}</code>
                </td>
                <td class="number">{t.value.number(address.operations)}</td>
                <td>
                  <Share share={address.share} />
                </td>
                <td class="number">{t.value.number(address.invocations)}</td>
                <td class="number">{t.value.number(address.workgroups)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreButton left={own.length - shown.value} onMore={() => (shown.value += 64)} />
    </div>
  );
}

function Share({ share }: { readonly share: number }) {
  return (
    <span class="share">
      <span class="share-track" aria-hidden="true">
        <span class="share-bar" style={{ width: `${Math.max(2, share * 100)}%` }} />
      </span>
      {t.value.percent(share)}
    </span>
  );
}

function Places({ profile }: { readonly profile: JsonProfile }) {
  const texts = later.value.contention;
  const atomics = profile.places.filter(({ kind }) => kind.startsWith("atomic"));
  if (atomics.length === 0) return null;
  // Loads do not queue up.
  const isUpdate = ({ kind }: JsonProfile["places"][number]) => kind !== "atomic-read";
  const all = atomics.filter(isUpdate).reduce((sum, { operations }) => sum + operations, 0);
  return (
    <>
      <h4>{texts.perLine}</h4>
      <div class="table-scroll goes-on">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{texts.place}</th>
              <th scope="col">{texts.operation}</th>
              <th scope="col" class="number">
                {texts.operations}
              </th>
              <th scope="col">{texts.share}</th>
              <th scope="col">{texts.hottest}</th>
              <th scope="col" class="number">
                {texts.retries}
              </th>
            </tr>
          </thead>
          <tbody>
            {atomics.map((place) => (
              <tr key={`${place.start.offset}-${place.kind}`}>
                <td>
                  <PlaceLink place={place} />
                </td>
                <td>
                  {place.atomic ?? place.kind} <code>{place.variable}</code>
                </td>
                <td class="number">{t.value.number(place.operations)}</td>
                <td>{isUpdate(place) && <Share share={place.operations / all} />}</td>
                <td>
                  {place.hottest === null ? "" : <code>{place.hottest.path}</code>}
                  {place.hottest === null ? "" : ` ${t.value.percent(place.hottest.share)}`}
                </td>
                <td class="number">{place.retries === null ? "" : t.value.number(place.retries)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function TwoLevel({ profile }: { readonly profile: JsonProfile }) {
  const useful = profile.twoLevel.filter(({ now, global }) => global < now);
  if (useful.length === 0) return null;
  return (
    <>
      <h4>{later.value.contention.twoLevel}</h4>
      <ul>
        {useful.map(({ variable, now, local, global }) => (
          <li key={variable}>{later.value.contention.twoLevelLine(variable, now, local, global)}</li>
        ))}
      </ul>
    </>
  );
}
