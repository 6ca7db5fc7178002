/** The operator's own terms of use: the whole text in each language for which there is a file, version and articles. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config as configSchema } from '@recodery/contract/features/service-status';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { describeUnnamedArticles } from '../../src/config/settings.ts';
import { startPortal } from '../../src/portal.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let folder: string;
let portal: RunningPortal;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-terms-'));
  const text = (title: string) =>
    `# ${title}\n\nBetween you and **Acme**.\n\n- one\n- two\n\n## 1. Scope\n\nAll <b>files</b>.\n\n### Detail\n\n## 2. Price\n\nNone.\n\n| what | price |\n|---|---|\n| a <b>file</b> | 0 |\n`;
  await writeFile(join(folder, 'it.md'), text('Condizioni'));
  await writeFile(join(folder, 'de.md'), text('Bedingungen'));
  portal = await startTestPortal(
    {
      RECODERY_TERMS_DIR: folder,
      RECODERY_TERMS_VERSION: '2027-01',
      RECODERY_TERMS_ARTICLES: '2, 7.1',
      RECODERY_DEMO: 'on',
    },
    false,
  );
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true });
});

async function configFor(language: string) {
  const headers = { 'accept-language': language };
  return configSchema.parse(await (await fetch(`${portal.url}/api/config`, { headers })).json());
}

// promise d3.settings.terms
test('the pages get the version, the articles and a link to the text in the language of the reader', async () => {
  const { terms, links } = await configFor('it');
  expect(terms).toEqual({ version: '2027-01', articles: ['2', '7.1'] });
  // instead of the sample, which the demo has
  expect(new URL(links.terms).pathname).toBe('/terms/it');
  const page = await (await fetch(`${portal.url}/terms/it`)).text();
  expect(page).toContain('<html lang="it-IT">');
  expect(page).toContain('<h1>Condizioni</h1>');
  expect(page).toContain('Indice');
  for (const part of ['<strong>Acme</strong>', '<li>two</li>', 'All &lt;b&gt;files&lt;/b&gt;.'])
    expect(page).toContain(part);
  expect(page).toContain('<h2 id="chapter-2">2. Price</h2>');
  expect(page).toContain('<h3>Detail</h3>');
  expect(page).toContain('<td>a &lt;b&gt;file&lt;/b&gt;</td>');
  // only languages with a text
  expect(page).toContain('href="/terms/de"');
  expect(page).not.toContain('href="/terms/en"');
});

test('a reader whose language has no text gets one of the others', async () => {
  const page = await fetch(`${portal.url}/terms/fr`);
  expect([page.status, page.headers.get('content-language')]).toEqual([200, 'de-DE']);
});

test('a folder without a text stops the start with one line', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'recodery-terms-'));
  const { terms } = readConfig({ RECODERY_TERMS_DIR: empty });
  const { platform } = portal;
  const config = { ...platform.config, terms };
  await expect(startPortal({ ...platform, config }, 0)).rejects.toThrow(
    `RECODERY_TERMS_DIR must be a folder with a file for at least one language, such as en.md: there is none in ${empty}.`,
  );
  await rm(empty, { recursive: true });
});

// promise 5.terms.articles, 9.figures.articles
test('the articles that need express acceptance are those of the specification by default', () => {
  expect(readConfig({}).terms.articles.map(Number)).toEqual([5, 6, 7, 8, 9, 10, 12, 14, 15]);
});

// promise d3.settings.terms
test('there can be no articles, and a text without named articles is reported', () => {
  const termsOf = (settings: Readonly<Record<string, string>>) => readConfig(settings).terms;
  const own = { RECODERY_TERMS_DIR: folder };
  expect(termsOf({ ...own, RECODERY_TERMS_ARTICLES: 'none' }).articles).toEqual([]);
  expect(() => termsOf({ RECODERY_TERMS_ARTICLES: ',' })).toThrow('at least one article, or none');
  expect(describeUnnamedArticles(termsOf({ ...own, RECODERY_TERMS_ARTICLES: 'none' }))).toBe(null);
  expect(describeUnnamedArticles(termsOf({}))).toBe(null);
  expect(describeUnnamedArticles(termsOf(own))).toMatch(
    /^RECODERY_TERMS_DIR is set without RECODERY_TERMS_ARTICLES, .* articles 5, 6, .*, or to none\.$/,
  );
});
