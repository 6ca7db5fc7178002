/** Weighs what a page loads (JavaScript, CSS, one locale; brotli) against its budget: `node web/page-size.ts` after a build. Exits 1 when one is over. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const kB = 1000;
const locale = 'src/i18n/locales/en-US/index.ts';
/** What each page needs beside its HTML, by the names of the build's manifest; budgets in kB. */
const pages = [
  { name: 'home', budget: 185, parts: ['index.html', 'src/pages/home-page.tsx', locale] },
  {
    name: 'device page',
    budget: 205,
    parts: ['index.html', 'src/pages/recoding-page.tsx', locale],
  },
  {
    name: 'sign-in',
    budget: 20,
    parts: ['sign-in.html', 'src/i18n/locales/en-US/sign-in.json'],
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

let isOver = false;
for (const { name, budget, parts } of pages) {
  const files = new Set(parts.flatMap((part) => [...filesOf(part)]));
  const weight = [...files].reduce((sum, file) => sum + weightOf(file), 0);
  isOver ||= weight > budget * kB;
  console.log(`${name}: ${(weight / kB).toFixed(1)} kB of ${budget} kB`);
  if (!process.argv.includes('--files')) continue;
  for (const file of [...files].sort((a, b) => weightOf(b) - weightOf(a))) {
    console.log(`  ${(weightOf(file) / kB).toFixed(1).padStart(6)}  ${file}`);
  }
}
process.exitCode = isOver ? 1 : 0;
