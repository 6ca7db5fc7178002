/** Parses a text of the user guide: Markdown with a few additional rules, rendered as markup. */
import { Marked, Renderer, type Token } from 'marked';
import { html, type Markup } from '../http/pages/plain-page.ts';

/** A chapter: `id` is its anchor in the URL, the same in every language. */
export interface Chapter {
  readonly id: string;
  readonly heading: string;
  readonly body: Markup;
}

/** A whole guide. `lead` are the paragraphs before the first chapter; `words` are the page's own texts, such as the heading of the contents. */
export interface GuideText {
  readonly words: ReadonlyMap<string, string>;
  readonly title: string;
  readonly lead: Markup;
  readonly chapters: readonly Chapter[];
}

/** Returns the markup of a picture by its name, or null if there is none. */
export type DrawPicture = (name: string, alt: string) => Markup | null;

/** Markdown, with GitHub's extensions only if `gfm`. HTML in a text is shown as text. */
function createMarkdown(draw: DrawPicture, gfm: boolean): Marked {
  return new Marked({
    gfm,
    renderer: {
      // scrolls on its own where it is wider than the page
      table(token) {
        const table = Renderer.prototype.table.call(this, token);
        return `<div class="table" tabindex="0">${table}</div>\n`;
      },
      html: ({ text }) => html`${text}`.markup,
      image: ({ href, text }) => draw(href, text)?.markup ?? '',
      paragraph({ tokens }) {
        const content = this.parser.parseInline(tokens);
        // A figure must not be inside a paragraph.
        return tokens[0]?.type === 'image' ? content : `<p>${content}</p>\n`;
      },
    },
  });
}

/**
 * Reads a guide. It begins with the page's own words (`contents: Contents`), then the title (`# …`), the lead, and the
 * chapters (`## id Heading`).
 */
export function readGuide(source: string, draw: DrawPicture): GuideText {
  const markdown = createMarkdown(draw, false);
  const chapters: { name: string; tokens: Token[] }[] = [{ name: '', tokens: [] }];
  for (const token of markdown.lexer(source)) {
    if (token.type === 'heading' && token.depth === 2)
      chapters.push({ name: token.text, tokens: [] });
    else if (token.type !== 'space') chapters.at(-1)?.tokens.push(token);
  }
  const [words, title, lead] = (chapters.shift()?.tokens ?? []).map((token) =>
    'text' in token ? String(token.text) : '',
  );
  return {
    words: new Map(
      (words ?? '').split('\n').map((line): [string, string] => {
        const [key = '', value = ''] = line.split(': ', 2);
        return [key, value];
      }),
    ),
    title: title ?? '',
    lead: html`<p class="lead">${{ markup: markdown.parseInline(lead ?? '', { async: false }) }}</p>`,
    chapters: chapters.map(({ name, tokens }) => ({
      id: name.split(' ', 1).join(''),
      heading: name.slice(name.indexOf(' ') + 1),
      body: { markup: markdown.parser(tokens) },
    })),
  };
}

/**
 * Reads a text of the operator, which is Markdown with tables: its first heading is the title, and each heading of the second
 * level begins a chapter. Nothing is left out.
 */
export function readPlainText(source: string, words: GuideText['words']): GuideText {
  const markdown = createMarkdown(() => null, true);
  let title = '';
  const parts: { heading: string; tokens: Token[] }[] = [{ heading: '', tokens: [] }];
  for (const token of markdown.lexer(source)) {
    if (token.type === 'heading' && token.depth === 1 && title === '') title = token.text;
    else if (token.type === 'heading' && token.depth === 2)
      parts.push({ heading: token.text, tokens: [] });
    else parts.at(-1)?.tokens.push(token);
  }
  const [lead, ...chapters] = parts.map(({ tokens }) => ({ markup: markdown.parser(tokens) }));
  return {
    words,
    title,
    lead: html`<div class="preface">${lead ?? null}</div>`,
    chapters: chapters.map((body, at) => ({
      id: `chapter-${at + 1}`,
      heading: parts[at + 1]?.heading ?? '',
      body,
    })),
  };
}
