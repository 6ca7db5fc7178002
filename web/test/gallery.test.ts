/** Keeps the gallery whole: every file that draws something has an entry there, and nothing of it reaches the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');

/** What draws nothing of its own: the page's beginning, the wiring, and the language for React Aria. */
const wiring = [
  'main.tsx',
  'app/app.tsx',
  'app/router.tsx',
  'ui/aria-locale.tsx',
  'ui/on-demand.tsx',
];

function filesOf(folder: string, extension: RegExp): string[] {
  return readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extension.test(name));
}

function read(folder: string, names: readonly string[]): string {
  return names.map((name) => readFileSync(join(web, folder, name), 'utf8')).join('\n');
}

test('every component of the page stands in the gallery', () => {
  const gallery = read('gallery', filesOf('gallery', /\.tsx$/));
  const missing = filesOf('src', /\.tsx$/).filter(
    (name) => !wiring.includes(name) && !gallery.includes(`'../src/${name}'`),
  );
  expect(missing, 'draw these in web/gallery').toEqual([]);
});

test('every part of the gallery names a file of the page', () => {
  const gallery = read('gallery', filesOf('gallery', /\.tsx$/));
  const named = [...gallery.matchAll(/<Part file="([^"]+)"/g)].map(([, name = '']) => name);
  const files = new Set(filesOf('src', /\.tsx$/));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !files.has(name))).toEqual([]);
});

test('nothing of the page imports the gallery, and its classes stay out of the style sheet', () => {
  const page = read('src', filesOf('src', /\.(tsx?|css)$/));
  expect(page).not.toMatch(/(from|import\()\s*['"][^'"]*\/gallery\//);
  expect(page).toContain("@source not '../../gallery'");
});
