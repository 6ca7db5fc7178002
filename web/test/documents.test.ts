/** The static content of the documents: for browsers without JavaScript, and for those that are too old. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withParts } from '../document-parts.ts';
import { languages } from '../src/i18n/languages.ts';

const web = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(web, path), 'utf8');

/** The languages of the paragraphs in a part of a document, by their first two letters. */
function languagesIn(piece: string): string[] {
  return [...piece.matchAll(/<p lang="([a-z]{2})[^"]*">[^<]{20,}<\/p>/g)].map(
    ([, two = '']) => two,
  );
}

const nine = languages.map((language) => language.slice(0, 2)).toSorted();

describe.each(['index.html', 'sign-in.html', 'verify.html'])('%s', (name) => {
  const body = withParts(read(name)).split('<body>')[1] ?? '';
  const [beforeScript = '', withoutScript = ''] = body.split('<noscript>');

  // promise 1.browsers.no-script
  test('shows in every language what a browser without JavaScript needs', () => {
    expect(languagesIn(withoutScript).toSorted()).toEqual(nine);
    expect(withoutScript.match(/JavaScript/g)?.length).toBeGreaterThanOrEqual(9);
  });

  // promise 1.browsers.unsupported
  test('shows in every language which browsers are supported, if the browser is too old', () => {
    const old = beforeScript.split('class="words words-old"')[1] ?? '';
    expect(languagesIn(old).toSorted()).toEqual(nine);
    for (const browser of ['Chrome', 'Edge', 'Firefox', 'Opera', 'Safari']) {
      expect(old.match(new RegExp(browser, 'g'))?.length).toBe(9);
    }
  });
});

// promise 1.browsers.unsupported
test('hides that text only with a rule that old browsers do not support', () => {
  const sheet = read('src/styles/words.css');
  const [outside = '', inside = ''] = sheet.split(/@supports \([^{]+\{/);
  expect(outside).not.toMatch(/words-old|display: none/);
  expect(inside).toMatch(/^\s*\.words-old \{ display: none; \}/);
});
