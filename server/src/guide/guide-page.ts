/** Renders a guide as a page: languages, contents, chapters. It works without JavaScript, and in print. */
import { brand, html, type Markup, plainDocument } from '../http/pages/plain-page.ts';
import type { GuideText } from './guide-text.ts';

/** A language of the guide: its tag, and the last segment of its URL. */
export interface GuideLanguage {
  readonly locale: string;
  readonly short: string;
}

/** The name of a language in that language, capitalized. */
function nameOf({ locale, short }: GuideLanguage): string {
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(short) ?? short;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

function languageList({ address, languages }: GuideLayout, shown: string): Markup {
  const items = languages.map((language) => {
    const { locale, short } = language;
    const current = locale === shown ? html` aria-current="page"` : null;
    return html`<li><a href="${address}/${short}" lang="${locale}" hreflang="${locale}"${current}>${nameOf(language)}</a></li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** The common parts of the pages in all languages. */
export interface GuideLayout {
  /** The path before the language, such as `/guide`. */
  readonly address: string;
  readonly languages: readonly GuideLanguage[];
}

/** The page of one language. */
export function renderGuide(guide: GuideText, locale: string, layout: GuideLayout): string {
  const word = (key: string) => guide.words.get(key) ?? key;
  const contents = guide.chapters.map(
    ({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`,
  );
  const chapters = guide.chapters.map(
    ({ id, heading, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>`,
  );
  const body = html`<body>
<header class="bar">
<a class="brand" href="/">${brand}<span class="hidden">: ${word('portal')}</span></a>
<nav aria-label="${word('languages')}">${languageList(layout, locale)}</nav>
</header>
<div class="columns">
<nav class="contents" aria-labelledby="contents">
<p id="contents">${word('contents')}</p>
<ol>${contents}</ol>
</nav>
<main class="reading">
<h1>${guide.title}</h1>
${guide.lead}
${chapters}
</main>
</div>
</body>`;
  return plainDocument(locale, guide.title, body);
}
