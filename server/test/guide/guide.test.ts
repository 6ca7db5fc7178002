/** The user guide: it is complete in every language, uses the same words as the pages, and is public. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGuide } from '../../src/guide/guide-text.ts';
import { serveGuide } from '../../src/guide/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { describeConfig } from '../../src/service-status/page-config.ts';
import { textsByLocale } from '../../src/texts/texts.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'server/src/guide');
const locales = [...textsByLocale.keys()];

function sourceOf(locale: string): string {
  return readFileSync(join(folder, 'texts', `${locale}.md`), 'utf8');
}

function matches(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, found = '']) => found);
}

/** The kind of each block, in order: it must be the same in every language. */
function shapeOf(locale: string): string[] {
  const blocks = sourceOf(locale)
    .trim()
    .split(/\n\s*\n/);
  return blocks.slice(1).map((block) => {
    const chapter = /^## (\S+)/.exec(block)?.[1];
    const picture = /^!\[.*\]\((.+)\)/.exec(block)?.[1];
    const items = block.split('\n').length;
    if (chapter !== undefined) return `chapter ${chapter}`;
    if (picture !== undefined) return `picture ${picture}`;
    return /^(#+|-|\d+\.) /.exec(block)?.[1]?.replace(/\d+\./, `${items} steps`) ?? 'text';
  });
}

/** All texts of the pages in a language. A count in brackets at the end is not part of a button's name. */
function pageTextsOf(locale: string): Set<string> {
  const path = join(root, 'web/src/i18n/locales', locale);
  const files = readdirSync(path).filter((name) => name.endsWith('.json'));
  return new Set(
    files.flatMap((name) => {
      const texts: Record<string, string> = JSON.parse(readFileSync(join(path, name), 'utf8'));
      return Object.values(texts).map((text) => text.replace(/ ?[(（]\{count\}[)）]$/, ''));
    }),
  );
}

const app = await createApp({
  log: pino({ level: 'silent' }),
  trustedProxies: [],
  publicUrl: 'http://localhost:8080',
  webDir: join(root, 'no-such-folder'),
  isReady: async () => true,
});

beforeAll(async () => {
  serveGuide(app);
  await app.ready();
});
afterAll(() => app.close());

const installation = {
  version: '0',
  publicUrl: 'http://localhost:8080',
  maxFileBytes: 1,
  smtpUrl: null,
  companyLines: [],
  terms: { version: '1', articles: [] },
  productName: 'Recodery',
  logo: null,
};

async function open(path: string): Promise<{ status: number; text: string; type: string }> {
  const { statusCode, body, headers } = await app.inject(path);
  return { status: statusCode, text: body, type: String(headers['content-type']) };
}

describe.each(locales)('the guide in %s', (locale) => {
  // promise d4.guide.page
  test('is served with its language, its headings and its table of contents', async () => {
    const { status, text, type } = await open(`/guide/${locale.slice(0, 2)}`);
    expect(status).toBe(200);
    expect(type).toBe('text/html; charset=utf-8');
    expect(text).toContain(`<html lang="${locale}">`);
    const source = sourceOf(locale);
    const title = matches(source, /^# (.+)$/gm)[0] ?? '';
    expect(title).not.toBe('');
    expect(text).toContain(`<h1>${title}</h1>`);
    const chapters = [...source.matchAll(/^## (\S+) (.+)$/gm)];
    expect(chapters.length).toBeGreaterThan(15);
    for (const [, id = '', heading = ''] of chapters) {
      expect.soft(text, id).toContain(`id="${id}">${heading.replaceAll("'", '&#39;')}</h2>`);
      expect.soft(text, id).toContain(`href="#${id}"`);
    }
    expect(text).not.toMatch(/\*\*|!\[|^#/m);
  });

  // promise d4.guide.page
  test('has the same chapters, steps and pictures as the English one', () => {
    expect(shapeOf(locale)).toEqual(shapeOf('en-US'));
  });

  // promise d4.guide.words
  test('names buttons and switches as the pages do', () => {
    const shown = pageTextsOf(locale);
    const named = matches(sourceOf(locale), /\*\*([^*]+)\*\*/g);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((label) => !shown.has(label))).toEqual([]);
  });

  // promise d4.guide.words
  test('names faults as the pages do', () => {
    const shown = pageTextsOf(locale);
    const faults =
      sourceOf(locale)
        .split(/^## faults .*$/m)[1]
        ?.split(/^## /m)[0] ?? '';
    const titles = matches(faults, /^### (.+)$/gm);
    expect(titles).toHaveLength(11);
    expect(titles.filter((title) => !shown.has(title))).toEqual([]);
  });

  test('shows each of its pictures, with a description and its size', async () => {
    const { text } = await open(`/guide/${locale}`);
    const names = matches(sourceOf(locale), /^!\[[^\]]+\]\((.+)\)$/gm);
    const sources = matches(text, /<img src="([^"]+)" alt="[^"]{8,}" width="\d+" height="\d+"/g);
    expect(sources).toHaveLength(names.length);
    for (const source of sources) {
      const { status, type } = await open(source);
      expect(status).toBe(200);
      expect(type).toBe('image/webp');
    }
  });
});

test('escapes HTML in a text', () => {
  const source =
    'contents: C\n\n# T\n\nA <b>lead</b>\n\n## id H\n\n<script>1</script>\n\n- <img src=x> `<i>`';
  const { lead, chapters } = readGuide(source, () => null);
  expect(lead.markup).toBe('<p class="lead">A &lt;b&gt;lead&lt;/b&gt;</p>');
  const body = chapters[0]?.body.markup ?? '';
  expect(body).toContain('&lt;script&gt;1&lt;/script&gt;');
  expect(body).toContain('<li>&lt;img src=x&gt; <code>&lt;i&gt;</code></li>');
});

// promise d4.guide.page
test('redirects an unknown language to English', async () => {
  for (const wanted of ['fi', 'xx-YY', '%3Cscript%3E', 'pictures']) {
    const { status, text } = await open(`/guide/${wanted}`);
    expect.soft(status, wanted).toBe(200);
    expect.soft(text, wanted).toContain('<html lang="en-US">');
  }
});

test('redirects to the browser’s language if none is given', async () => {
  const headers = { 'accept-language': 'fi, ru;q=0.8, en;q=0.5' };
  const { statusCode, headers: answered } = await app.inject({ url: '/guide', headers });
  expect([statusCode, answered['location']]).toEqual([302, '/guide/ru']);
});

test('accepts a full language tag, in any case', async () => {
  expect((await open('/guide/PT-br')).text).toContain('<html lang="pt-BR">');
  expect((await open('/guide/de-AT')).text).toContain('<html lang="de-DE">');
});

// promise d4.guide.replaceable
test('by default, privacy, cookies and legal link to a chapter, and the other links are hidden', async () => {
  const { links } = describeConfig({ ...installation, links: {} }, 'it-IT');
  const { text } = await open('/guide/it');
  for (const name of ['privacy', 'cookies', 'legal'] as const) {
    expect.soft(links[name]).toBe(`http://localhost:8080/guide/it#${name}`);
    expect.soft(text).toContain(`<h2 id="${name}">`);
  }
  const { dealer, dashboard, terms, support } = links;
  expect({ dealer, dashboard, terms, support }).toEqual({
    dealer: '',
    dashboard: '',
    terms: '',
    support: '',
  });
});

// promise j1.sending.no-mail-server
test('says whether emails reach a mail server', () => {
  const sendsEmail = (smtpUrl: string | null) =>
    describeConfig({ ...installation, smtpUrl, links: {} }, 'en-US').sendsEmail;
  expect([sendsEmail(null), sendsEmail('smtp://localhost')]).toEqual([false, true]);
});

// promise 2.layout.footer-localised, d4.guide.replaceable
test('an operator’s own addresses replace the guide, in the reader’s language', () => {
  const own = {
    userGuide: 'https://example.org/help/{language}.html',
    terms: 'https://example.org/{language}/terms',
  };
  const { links } = describeConfig({ ...installation, links: own }, 'pl-PL');
  expect(links.userGuide['ru']).toBe('https://example.org/help/ru.html');
  expect(Object.keys(links.userGuide)).toHaveLength(9);
  expect(links.terms).toBe('https://example.org/pl/terms');
  expect(links.privacy).toBe('http://localhost:8080/guide/pl#privacy');
});

test('all pictures together are smaller than 1.5 MB', () => {
  const pictures = readdirSync(join(folder, 'pictures')).filter((name) => name.endsWith('.webp'));
  const bytes = pictures.reduce(
    (sum, name) => sum + statSync(join(folder, 'pictures', name)).size,
    0,
  );
  expect(bytes).toBeLessThan(1_500_000);
});
