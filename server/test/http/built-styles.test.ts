/** The look of the pages that the server renders: the style sheet and fonts of the web build, and no copy of either. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBuiltStyles } from '../../src/http/pages/built-styles.ts';
import { html, plainPage } from '../../src/http/pages/plain-page.ts';
import { writeEmail } from '../../src/email/file-email.ts';
import { negotiateLanguage } from '../../src/texts/texts.ts';

const styles = join(import.meta.dirname, '../../../web/src/styles');

describe('the look of a build', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recodery-look-'));
    await mkdir(join(folder, '.vite'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('consists of the sheet of /login and the text font, by their hashed names', async () => {
    const font = 'assets/ibm-plex-sans-latin-wght-normal-abc.woff2';
    const manifest = {
      'sign-in.html': { file: 'assets/sign-in-1.js', css: ['assets/plain-page-2.css'] },
      '../node_modules/@fontsource/files/ibm-plex-sans-latin-wght-normal.woff2': { file: font },
      '../node_modules/@fontsource/files/ibm-plex-sans-latin-ext-wght-normal.woff2': {
        file: 'assets/another.woff2',
      },
    };
    await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
    expect(findBuiltStyles(folder)).toEqual({
      sheet: '/assets/plain-page-2.css',
      font: `/${font}`,
    });
  });

  test('consists of names that development serves before the first build', () => {
    const none = findBuiltStyles(join(folder, 'no-such-folder'));
    expect(none).toEqual({ sheet: '/assets/plain-page.css', font: null });
  });

  test('fails the start if the manifest is not readable', async () => {
    await writeFile(join(folder, '.vite/manifest.json'), '{"sign-in.html": {}}');
    expect(() => findBuiltStyles(folder)).toThrow();
  });
});

describe('a plain page', () => {
  test('has the product’s bar, one style sheet and no other styles', () => {
    const page = plainPage('it-IT', 'Accedi', html`<p>${'<b>'}</p>`);
    expect(page.match(/rel="stylesheet"/g)).toHaveLength(1);
    expect(page).toContain('<header class="bar"><p class="brand"><svg');
    expect(page).toContain('<h1>Accedi</h1>');
    expect(page).toContain('&lt;b&gt;');
    expect(page).not.toMatch(/style=|<style|<script>/);
  });

  test('takes every color and typeface from the tokens', async () => {
    for (const name of ['base', 'card', 'reading', 'api']) {
      const sheet = await readFile(join(styles, 'plain', `${name}.css`), 'utf8');
      const onScreen = sheet.split('@media print', 1).join('');
      expect(onScreen, name).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(|hsl\(|font-family: (?!var)/i);
    }
  });
});

// promise d10.page.one-look
test('an email has the colors of the tokens, light on each element and dark in its style sheet', async () => {
  const tokens = await readFile(join(styles, 'tokens.css'), 'utf8');
  const pairs = [...tokens.matchAll(/light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
  const mail = {
    guid: '01900000-0000-7000-8000-00000000dead',
    attempt: 1,
    organisation: 'an organisation',
    email: 'garage@rossi.test',
    culture: 'en-US',
    createdOn: new Date('2026-11-21T10:00:00Z'),
    triedSince: new Date('2026-11-21T10:00:00Z'),
    expiresOn: new Date('2026-12-01T10:00:00Z'),
    shareKeyId: 1,
    senderName: 'Officina Demo',
    senderEmail: null,
    fileName: 'a.moc',
    slaveSerialNumber: 'KV2-000007',
    note: 'Ciao',
    timeZone: null,
    receiptCode: null,
    origin: null,
  };
  const language = negotiateLanguage(undefined, ['en-US']);
  const { html: text } = writeEmail(
    mail,
    language,
    { file: 'https://portal.test/r/x', receipt: 'https://portal.test/receipts/x' },
    'UTC',
  );
  const [head = '', body = ''] = text.split('</head>');
  const colors = (of: string): string[] => [...new Set(of.match(/#[0-9a-f]{6}\b/g))].toSorted();
  const known = (at: 1 | 2): string[] => pairs.map((pair) => pair[at] ?? '');
  expect(colors(body).length).toBeGreaterThan(5);
  expect(known(1)).toEqual(expect.arrayContaining(colors(body)));
  expect(colors(head).length).toBeGreaterThan(5);
  expect(known(2)).toEqual(expect.arrayContaining(colors(head)));
  expect(body).toContain('font-family:&#39;IBM Plex Sans&#39;,system-ui');
});
