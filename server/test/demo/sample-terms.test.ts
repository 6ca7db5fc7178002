/** The demo's sample terms of use: complete in every language, marked as a sample, and linked in demo mode only. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shortLanguages, textsByLocale } from '../../src/texts/texts.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let demo: RunningPortal;
let plain: RunningPortal;
beforeAll(async () => {
  [demo, plain] = await Promise.all([
    startTestPortal({ RECODERY_DEMO: 'on' }, false),
    startTestPortal({}, false),
  ]);
});
afterAll(() => Promise.all([demo?.stop(), plain?.stop()]));

async function termsLinkOf(portal: RunningPortal, language: string): Promise<string> {
  const answer = await fetch(`${portal.url}/api/config`, {
    headers: { 'accept-language': language },
  });
  const { links } = (await answer.json()) as { links: { terms: string } };
  return links.terms;
}

/** The address that the test can reach: the public one has a different host. */
const reach = (portal: RunningPortal, address: string): Promise<Response> =>
  fetch(new URL(new URL(address).pathname, portal.url));

/** The word for "sample" in each language. */
const sample: Readonly<Record<string, string>> = {
  de: 'Muster',
  en: 'sample',
  es: 'ejemplo',
  fr: 'exemple',
  it: 'esempio',
  pl: 'przykład',
  pt: 'exemplo',
  ru: 'образец',
  zh: '示例',
};

describe('in demo mode', () => {
  test.each(shortLanguages)(
    'the terms link leads to a sample in %s with every article',
    async (short) => {
      const answer = await reach(demo, await termsLinkOf(demo, short));
      const text = await answer.text();
      expect(answer.status).toBe(200);
      const locale = [...textsByLocale.keys()].find((tag) => tag.startsWith(short));
      expect(text).toContain(`<html lang="${locale}">`);
      expect(/<title>(.*)<\/title>/.exec(text)?.[1]).toContain(sample[short]);
      expect(/<p class="lead"><strong>(.*?)<\/strong>/.exec(text)?.[1]).toContain(sample[short]);
      const articles = [...text.matchAll(/<h2 id="article-(\d+)">(\d+)\. /g)];
      const numbers = Array.from({ length: 15 }, (_, at) => String(at + 1));
      expect(articles.map(([, , number]) => number)).toEqual(numbers);
      expect(articles.map(([, id]) => id)).toEqual(numbers);
    },
  );

  test('without a language, it leads to the one that the browser requests', async () => {
    const ask = (language: string) =>
      fetch(`${demo.url}/sample-terms`, {
        redirect: 'manual',
        headers: { 'accept-language': language },
      });
    const [italian, finnish] = await Promise.all([ask('it-CH,it;q=0.9'), ask('fi')]);
    expect([italian.status, italian.headers.get('location')]).toEqual([302, '/sample-terms/it']);
    expect(finnish.headers.get('location')).toBe('/sample-terms/en');
  });

  test('another language is redirected to English', async () => {
    const text = await (await fetch(`${demo.url}/sample-terms/fi`)).text();
    expect(text).toContain('<html lang="en-US">');
  });
});

test('without demo mode there are no sample terms, and no link to terms', async () => {
  expect(await termsLinkOf(plain, 'en')).toBe('');
  expect((await fetch(`${plain.url}/sample-terms/en`)).headers.get('content-language')).toBeNull();
});
