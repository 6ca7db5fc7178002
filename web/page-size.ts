/** Weighs what a page loads (JavaScript, CSS, the heaviest locale; brotli) against its budget: `node web/page-size.ts` after a build. Exits 1 when one is over. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const kB = 1000;
const texts = 'index.ts';
/** What each page needs, by the names of the build's manifest, and which file of a locale; budgets in kB. */
const pages = [
  { name: 'home', budget: 185, parts: ['index.html', 'src/pages/home-page.tsx'], texts },
  {
    name: 'device page',
    budget: 205,
    parts: ['index.html', 'src/pages/recoding-page.tsx'],
    texts,
  },
  {
    name: 'sign-in',
    budget: 20,
    parts: ['sign-in.html'],
    texts: 'sign-in.json',
  },
] as const;

const dist = join(import.meta.dirname, 'dist');
const manifest: Record<string, Chunk | undefined> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
);

const byFile = new Map(Object.values(manifest).map((chunk) => [chunk?.file, chunk]));

function addChunk(chunk: Chunk, seen: Set<string>): void {
  if (seen.has(chunk.file)) return;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const name of chunk.imports ?? []) {
    const imported = manifest[name];
    if (imported) addChunk(imported, seen);
  }
}

/** The files of a part and of all that it imports; of a document, all that it names. */
function filesOf(part: string): Set<string> {
  const seen = new Set<string>();
  if (part.endsWith('.html')) {
    const html = readFileSync(join(dist, part), 'utf8');
    for (const [, file = ''] of html.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)) {
      addChunk(byFile.get(file) ?? { file }, seen);
    }
    seen.add('theme.js');
  } else {
    const chunk = manifest[part];
    if (chunk === undefined) throw new Error(`The build has no ${part}.`);
    addChunk(chunk, seen);
  }
  return seen;
}

/** The size in bytes as it travels. */
function weightOf(file: string): number {
  const compressed = join(dist, `${file}.br`);
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size;
}

function totalOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + weightOf(file), 0);
}

/** The files of the locale that weighs most; `texts` is its bundle for a page. */
function heaviestLocale(texts: string): Set<string> {
  const folder = 'src/i18n/locales';
  const locales = readdirSync(join(import.meta.dirname, folder));
  const [heaviest] = locales
    .map((locale) => filesOf(`${folder}/${locale}/${texts}`))
    .toSorted((one, other) => totalOf(other) - totalOf(one));
  return heaviest ?? new Set();
}

let isOver = false;
for (const { name, budget, parts, texts } of pages) {
  const files = new Set(parts.flatMap((part) => [...filesOf(part)]));
  for (const file of heaviestLocale(texts)) files.add(file);
  const weight = totalOf(files);
  isOver ||= weight > budget * kB;
  console.log(`${name}: ${(weight / kB).toFixed(1)} kB of ${budget} kB`);
  if (!process.argv.includes('--files')) continue;
  for (const file of [...files].sort((a, b) => weightOf(b) - weightOf(a))) {
    console.log(`  ${(weightOf(file) / kB).toFixed(1).padStart(6)}  ${file}`);
  }
}
process.exitCode = isOver ? 1 : 0;
