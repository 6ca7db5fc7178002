/**
 * The gallery: every component in every state, with fixed data. `npm run dev` serves it at `/gallery.html`; the
 * bar chooses theme, language and width, the frame below shows the parts at that width.
 */
import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { themes } from '../src/app/theme.ts';
import { type Language, languageNames, languageOf, languages } from '../src/i18n/languages.ts';
import { changeLanguage, loadTexts, startTexts, type TextPart } from '../src/i18n/texts.ts';
import { ToastList } from '../src/ui/toasts/toast-region.tsx';
import { AccountParts } from './parts/account-parts.tsx';
import { AdminParts } from './parts/admin/admin-parts.tsx';
import { ListParts } from './parts/list-parts.tsx';
import { CheckParts } from './parts/check-parts.tsx';
import { ChangeParts } from './parts/change-parts.tsx';
import { ControlParts } from './parts/control-parts.tsx';
import { DecodingParts } from './parts/decoding-parts.tsx';
import { EncodingParts } from './parts/encoding-parts.tsx';
import { FactorParts } from './parts/factor-parts.tsx';
import { FrameParts } from './parts/frame-parts.tsx';
import { HistoryParts } from './parts/history-parts.tsx';
import { JobParts } from './parts/job-parts.tsx';
import { MisfitParts } from './parts/misfit-parts.tsx';
import { PeopleParts } from './parts/admin/people-parts.tsx';
import { RecognizedParts } from './parts/recognized-parts.tsx';
import { PageParts } from './parts/page-parts.tsx';
import { PlacesParts } from './parts/places-parts.tsx';
import { SettingsParts } from './parts/settings-parts.tsx';
import { namesAlone, ViewContext } from './state.tsx';
import { TrayParts } from './parts/tray-parts.tsx';
import { UiParts } from './parts/ui-parts.tsx';
import { WindowParts } from './parts/window-parts.tsx';

/** The gallery has no server: a call waits until it is aborted, so every action stays in progress. */
const noAnswer = (signal?: AbortSignal | null) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
const fetchFile = globalThis.fetch;
const fetchNothing: typeof fetch = (input, options) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
  return pathname.startsWith('/api/') ? noAnswer(options?.signal) : fetchFile(input, options);
};
globalThis.fetch = fetchNothing;

const widths = [320, 360, 480, 768, 1024, 1440] as const;

function Choice<C extends string>(props: {
  readonly label: string;
  readonly value: C;
  readonly options: readonly (readonly [C, string])[];
  readonly onChange: (value: string) => void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The bar, and the components in an iframe of the selected width, because CSS breakpoints need a viewport. */
function Shell() {
  const [theme, setTheme] = useState('system');
  const [language, setLanguage] = useState<Language>('en-US');
  const [width, setWidth] = useState('full');
  const address = new URLSearchParams({ bare: '', theme, language });
  return (
    <>
      <header className="g-bar">
        <strong>Gallery</strong>
        <Choice
          label="Theme"
          value={theme}
          options={themes.map((offered) => [offered, offered])}
          onChange={setTheme}
        />
        <Choice
          label="Language"
          value={language}
          options={languages.map((offered) => [offered, languageNames[offered]])}
          onChange={(chosen) => setLanguage(languageOf(chosen) ?? 'en-US')}
        />
        <Choice
          label="Width"
          value={width}
          options={[['full', 'full'], ...widths.map((px) => [`${px}px`, `${px} px`] as const)]}
          onChange={setWidth}
        />
      </header>
      <iframe
        title="Parts"
        className="g-view"
        src={`/gallery.html?${address}`}
        style={{ width: width === 'full' ? '100%' : width }}
      />
    </>
  );
}

/** The components by group; `e2e/gallery/` has a test file for each. */
const groups = {
  controls: ControlParts,
  ui: UiParts,
  windows: WindowParts,
  frame: FrameParts,
  decoding: DecodingParts,
  encoding: EncodingParts,
  checks: CheckParts,
  places: PlacesParts,
  misfits: MisfitParts,
  recognized: RecognizedParts,
  lists: ListParts,
  pages: PageParts,
  settings: SettingsParts,
  changes: ChangeParts,
  trays: TrayParts,
  jobs: JobParts,
  history: HistoryParts,
  admin: AdminParts,
  accounts: AccountParts,
  factors: FactorParts,
  people: PeopleParts,
};

let place = '';

/**
 * The part of the address that names a single state, such as `only=ui/display/badge.tsx: states`, perhaps with its
 * group; empty for all states. Elements of all groups would be created for each state otherwise, which takes longer than
 * to show it.
 */
function askedPlace(): string {
  const hash = location.hash.slice(1);
  // components contain fragment links too
  if (new URLSearchParams(hash).has('only')) place = hash;
  return place;
}

function listenToAddress(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** All components, or the single state in the address (none if it is empty), mounted again with each change of it. */
function Parts() {
  const named = new URLSearchParams(useSyncExternalStore(listenToAddress, askedPlace));
  const asked = named.get('only');
  useEffect(() => {
    document.documentElement.dataset.shows = asked ?? 'all';
  }, [asked]);
  return (
    <ViewContext key={asked} value={{ only: asked }}>
      {asked === null || asked === namesAlone ? (
        <>
          <main className="g-page">
            {Object.entries(groups).map(([name, Group]) => (
              <div key={name} className="g-group" data-group={name}>
                <Group />
              </div>
            ))}
          </main>
          <ToastList />
        </>
      ) : (
        Object.entries(groups)
          .filter(([name]) => asked !== '' && (named.get('group') ?? name) === name)
          .map(([name, Group]) => <Group key={name} />)
      )}
    </ViewContext>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('gallery.html has no #root');
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
await startTexts(null);
// its own file: within this one, loading it would wait for the end of this one
const { partLoaders } = await import('../src/i18n/text-parts.ts');
const parts = Object.keys(partLoaders).map((path) => /(\w+)\.json$/.exec(path)?.[1]);
await Promise.all([...new Set(parts)].map((part) => loadTexts(part as TextPart)));
await changeLanguage(languageOf(query.get('language')) ?? 'en-US');
createRoot(root).render(<StrictMode>{query.has('bare') ? <Parts /> : <Shell />}</StrictMode>);
