/** Serves the user guide under `/guide/{language}`, with its pictures: public, the same for all users. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Asset, html, readAsset, serveAssets } from '../http/pages/plain-page.ts';
import { negotiateLanguage, textsByLocale } from '../texts/texts.ts';
import { type GuideLanguage, type GuideLayout, renderGuide } from './guide-page.ts';
import { type DrawPicture, type GuideText, readGuide } from './guide-text.ts';
import sizes from './pictures/sizes.json' with { type: 'json' };

const guideTexts = join(import.meta.dirname, 'texts');

/** Every language of the product; the URL contains its first two letters. */
export const guideLanguages: readonly GuideLanguage[] = [...textsByLocale.keys()].map((locale) => ({
  locale,
  short: locale.slice(0, 2),
}));

/** A picture of the guide, with its width and height. */
interface Picture {
  readonly asset: Asset;
  readonly size: readonly string[];
}

/** By name. They are read by the first portal of this process: tests start many. */
let pictures: ReadonlyMap<string, Picture> | null = null;

function readPictures(): ReadonlyMap<string, Picture> {
  const folder = join(import.meta.dirname, 'pictures');
  return new Map(
    Object.entries<readonly number[]>(sizes).map(([name, size]) => {
      const address = `guide/${name.replace('.', '-')}`;
      const asset = readAsset(join(folder, `${name}.webp`), address, 'image/webp');
      return [name, { asset, size: size.map(String) }];
    }),
  );
}

/** Serves the pictures; returns the function that draws those of a language. */
function servePictures(app: FastifyInstance): (locale: string) => DrawPicture {
  const all = (pictures ??= readPictures());
  serveAssets(
    app,
    'guide',
    [...all.values()].map(({ asset }) => asset),
  );
  return (locale) => (name, alt) => {
    const { asset, size: [width = '', height = ''] = [] } = all.get(`${name}.${locale}`) ?? {};
    if (asset === undefined) return null;
    return html`<figure><img src="${asset.path}" alt="${alt}" width="${width}" height="${height}" loading="lazy"></figure>`;
  };
}

/** Reads the guide in one language from the folder of its texts. */
function readText(folder: string, locale: string, draw: DrawPicture = () => null): GuideText {
  return readGuide(readFileSync(join(folder, `${locale}.md`), 'utf8'), draw);
}

/** The words of the built-in guide's page in one language. */
export const readWords = (locale: string): GuideText['words'] => readText(guideTexts, locale).words;

/**
 * Serves the texts of a folder, `{locale}.md`, as pages under a path, which itself redirects to the reader's language.
 * An unknown language gets the English page.
 */
export function serveTexts(
  app: FastifyInstance,
  address: string,
  folder: string,
  draw?: (locale: string) => DrawPicture,
): void {
  const read = (locale: string) => readText(folder, locale, draw?.(locale));
  servePages(app, { address, languages: guideLanguages }, read);
}

/** The language for a reader, of those that a page has. */
export function choosePageLanguage(
  languages: readonly GuideLanguage[],
  header: string | undefined,
  wanted?: readonly string[],
): GuideLanguage {
  const { locale } = negotiateLanguage(header, wanted);
  const chosen = languages.find((one) => one.locale === locale) ?? languages[0];
  return chosen ?? { locale, short: locale.slice(0, 2) };
}

/**
 * Serves a page for each language of a layout, of which the first one is for readers of all other languages. A page is
 * rendered on its first request.
 */
export function servePages(
  app: FastifyInstance,
  layout: GuideLayout,
  read: (locale: string) => GuideText,
): void {
  const { address, languages } = layout;
  const pages = new Map<string, string>();
  const makePage = (locale: string): string => {
    const page = renderGuide(read(locale), locale, layout);
    pages.set(locale, page);
    return page;
  };
  const choose = (header: string | undefined, wanted?: readonly string[]): GuideLanguage =>
    choosePageLanguage(languages, header, wanted);
  app.get(address, async (request, reply) =>
    reply.redirect(`${address}/${choose(request.headers['accept-language']).short}`),
  );
  app.get<{ Params: { language: string } }>(`${address}/:language`, async (request, reply) => {
    const { locale } = choose(undefined, [request.params.language]);
    return reply
      .header('content-language', locale)
      .header('cache-control', 'public, max-age=300')
      .type('text/html; charset=utf-8')
      .send(pages.get(locale) ?? makePage(locale));
  });
}

/** Adds the guide. */
export function serveGuide(app: FastifyInstance): void {
  serveTexts(app, '/guide', guideTexts, servePictures(app));
}
