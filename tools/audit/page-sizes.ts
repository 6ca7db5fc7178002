/**
 * Measures what each page loads: JavaScript, styles and the heaviest locale, in transfer size (brotli). Needs built
 * pages.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectDir } from '../steps.ts';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

/** The size of a page. */
export interface PageSize {
  readonly name: string;
  /** Bytes. */
  readonly weight: number;
  /** Bytes. */
  readonly budget: number;
  /** The largest locale, such as `ru-RU`. */
  readonly locale: string;
}

const kB = 1000;
const index = 'index.html';
const texts = ['shell.json?with=recoding,errors'];
/** A device page, with the family file that imports most. */
const devicePage = [
  index,
  'src/pages/recoding-page.tsx',
  'src/features/recoding/families/kess3-utility.ts',
] as const;

/** Loads the pages of the administration, of the account and of the setup. */
const administration = [index, 'src/pages/admin/admin-pages.tsx'] as const;

interface Page {
  readonly name: string;
  /** In kB; absent: that of every page. */
  readonly budget?: number;
  /** The files that the page needs, by the names in the build's manifest. */
  readonly parts: readonly string[];
  /** The files of each locale that the page needs. */
  readonly texts: readonly string[];
}

/** The budget of a page without a budget of its own, in kB. */
const everyBudget = 250;
/** The pages with a budget of their own, with texts of their own, or with several parts; the build adds the others. */
const listed: readonly Page[] = [
  {
    name: 'home',
    budget: 161,
    parts: [index, 'src/pages/home/home-page.tsx'],
    texts: [...texts, 'home.json'],
  },
  {
    name: 'device pages (KESS3, KESSv2, K-TAG, KESS3 utility)',
    budget: 189,
    parts: devicePage,
    texts: [...texts, 'device.json', 'utility.json'],
  },
  {
    name: 'sign-in (/login, /loggedin)',
    budget: 20,
    parts: ['sign-in.html'],
    texts: ['sign-in.json'],
  },
  {
    name: 'check of a receipt (/verify)',
    budget: 20,
    parts: ['verify.html'],
    texts: ['verify.json'],
  },
  {
    name: 'device pages with a file in progress',
    parts: [...devicePage, 'src/features/recoding/encode/encode-step.tsx'],
    texts: [...texts, 'device.json', 'utility.json', 'encode.json'],
  },
  {
    name: 'operations log',
    parts: [index, 'src/pages/operations-log-page.tsx'],
    texts: [...texts, 'log.json'],
  },
  {
    name: 'notifications',
    parts: [index, 'src/pages/notifications-page.tsx'],
    texts: [...texts, 'notifications.json'],
  },
  {
    name: 'settings',
    parts: [index, 'src/pages/settings/settings-page.tsx'],
    texts: [...texts, 'settings.json', 'preferences.json'],
  },
  ...(
    [
      ['clients', 167],
      ['webhooks', 165],
      ['engines', 159],
    ] as const
  ).map(([section, budget]) => ({
    name: `settings: ${section}`,
    budget,
    parts: [index, `src/pages/settings/settings-${section}-page.tsx`],
    texts: [...texts, 'settings.json'],
  })),
  ...(
    [
      ['jobs', 183],
      ['job', 202],
    ] as const
  ).map(([page, budget]) => ({
    name: page === 'job' ? 'a job (/jobs/…)' : 'jobs',
    budget,
    parts: [index, `src/pages/jobs/${page}-page.tsx`],
    texts: [...texts, 'jobs.json'],
  })),
  {
    name: 'settings: storage',
    budget: 175,
    parts: [index, 'src/pages/settings/settings-storage-page.tsx'],
    texts: [...texts, 'settings.json', 'storage.json'],
  },
  {
    name: 'administration (/admin/…)',
    budget: 208,
    parts: administration,
    texts: [...texts, 'settings.json', 'admin.json'],
  },
  {
    name: 'administration: directory',
    budget: 233,
    parts: [...administration, 'src/pages/admin/admin-directory-page.tsx'],
    texts: [...texts, 'settings.json', 'admin.json', 'directory.json'],
  },
  ...(
    [
      ['account', 246],
      ['setup', 242],
    ] as const
  ).map(([page, budget]) => ({
    name: page,
    budget,
    parts: [...administration, `src/pages/${page}-page.tsx`],
    texts: [...texts, 'admin.json', 'account.json'],
  })),
  {
    name: 'tray',
    parts: [index, 'src/pages/trays/tray-page.tsx'],
    texts: [...texts, 'tray.json', 'foreign.json', 'utility.json', 'encode.json'],
  },
  {
    name: 'trays',
    parts: [index, 'src/pages/trays/trays-page.tsx'],
    texts: [...texts, 'tray.json'],
  },
];

const web = join(projectDir, 'web');
const dist = join(web, 'dist');
const locales = 'src/i18n/locales';

/** The files of the build by the names of their sources. */
class Build {
  readonly #manifest: Readonly<Record<string, Chunk | undefined>>;
  readonly #byFile: ReadonlyMap<string | undefined, Chunk | undefined>;

  constructor() {
    this.#manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
    this.#byFile = new Map(Object.values(this.#manifest).map((chunk) => [chunk?.file, chunk]));
  }

  /** The pages that no line lists. */
  unlisted(): readonly Page[] {
    const parts = new Set(listed.flatMap((page) => page.parts));
    return Object.entries(this.#manifest)
      .filter(([part, chunk]) => chunk?.isDynamicEntry && !parts.has(part))
      .filter(([part]) => /^src\/pages\/.*-page\.tsx$/.test(part))
      .map(([part]) => ({ name: basename(part, '.tsx'), parts: [index, part], texts }));
  }

  /** The files of a part and of all its imports; for a document, all files that it names. */
  filesOf(part: string): Set<string> {
    const seen = new Set<string>();
    if (part.endsWith('.html')) {
      const html = readFileSync(join(dist, part), 'utf8');
      for (const [, file = ''] of html.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)) {
        this.#add(this.#byFile.get(file) ?? { file }, seen);
      }
      seen.add('theme.js');
    } else {
      const chunk = this.#manifest[part];
      if (chunk === undefined) throw new Error(`The build has no ${part}.`);
      this.#add(chunk, seen);
    }
    return seen;
  }

  #add(chunk: Chunk, seen: Set<string>): void {
    if (seen.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
    for (const name of chunk.imports ?? []) {
      const imported = this.#manifest[name];
      if (imported) this.#add(imported, seen);
    }
  }
}

/** The transfer size in bytes. */
function weightOf(file: string): number {
  const compressed = join(dist, `${file}.br`);
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size;
}

/** The size of every page in its heaviest language. */
export function weighPages(): readonly PageSize[] {
  const build = new Build();
  return [...listed, ...build.unlisted()].map(({ name, budget = everyBudget, parts, texts }) => {
    const weights = readdirSync(join(web, locales)).map((locale) => {
      const own = [...parts, ...texts.map((file) => `${locales}/${locale}/${file}`)];
      const files = new Set(own.flatMap((part) => [...build.filesOf(part)]));
      return { locale, weight: [...files].reduce((total, file) => total + weightOf(file), 0) };
    });
    const heaviest = weights.reduce((one, other) => (other.weight > one.weight ? other : one));
    return { name, ...heaviest, budget: budget * kB };
  });
}
