/**
 * Keeps the gallery complete: every file that renders something has an entry, and nothing of the gallery is in the
 * product.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');

/** Files that render nothing themselves. The gallery replaces or uses them; the end-to-end tests run all of them. */
const wiring = [
  // starts the page
  'main.tsx',
  // maps addresses to pages; the gallery shows each page and what is shown while it loads or fails
  'app/router.tsx',
  // the language for React Aria, around components that the gallery shows
  'ui/aria-locale.tsx',
  // loads components that the gallery shows
  'ui/loading/on-demand.tsx',
  'ui/loading/forbidden-screen.tsx',
];

function filesOf(folder: string, extension: RegExp): string[] {
  return readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extension.test(name));
}

function read(folder: string, names: readonly string[]): string {
  return names.map((name) => readFileSync(join(web, folder, name), 'utf8')).join('\n');
}

test('every component is in the gallery', () => {
  const gallery = read('gallery', filesOf('gallery', /\.tsx$/));
  const missing = filesOf('src', /\.tsx$/).filter(
    (name) => !wiring.includes(name) && !gallery.includes(`../src/${name}'`),
  );
  expect(missing, 'draw these in web/gallery').toEqual([]);
});

test('every entry of the gallery names a file of the page', () => {
  const gallery = read('gallery', filesOf('gallery', /\.tsx$/));
  const named = [...gallery.matchAll(/<Part file="([^"]+)"/g)].map(([, name = '']) => name);
  const files = new Set(filesOf('src', /\.tsx$/));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !files.has(name))).toEqual([]);
});

test('no page imports the gallery, and its classes are not in the style sheet', () => {
  const page = read('src', filesOf('src', /\.(tsx?|css)$/));
  expect(page).not.toMatch(/(from|import\()\s*['"][^'"]*\/gallery\//);
  expect(page).toContain("@source not '../../gallery'");
});
