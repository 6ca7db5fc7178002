/** Reads a text of the user guide: a few forms of Markdown, each with one meaning, turned into markup. */
import { html, type Markup } from '../http/plain-page.ts';

/** The forms of a line that begins a block. */
const forms = {
  word: /^(?<key>[a-z]+): (?<value>.+)$/,
  title: /^# (?<text>.+)$/,
  chapter: /^## (?<id>[a-z0-9-]+) (?<text>.+)$/,
  heading: /^### (?<text>.+)$/,
  picture: /^!\[(?<alt>[^\]]+)\]\((?<name>[a-z0-9-]+)\)$/,
  item: /^- (?<text>.+)$/,
  step: /^\d+\. (?<text>.+)$/,
} as const;

/** A chapter: `id` is its place in the address, the same in every language. */
export interface Chapter {
  readonly id: string;
  readonly heading: string;
  readonly body: Markup;
}

/** A whole guide. `words` are the page's own texts, such as the name of the contents. */
export interface GuideText {
  readonly words: ReadonlyMap<string, string>;
  readonly title: string;
  readonly lead: Markup;
  readonly chapters: readonly Chapter[];
}

/** Gives the markup of a picture by its name, or null where there is none. */
export type DrawPicture = (name: string, alt: string) => Markup | null;

function join(parts: readonly (Markup | null)[]): Markup {
  return { markup: parts.map((part) => part?.markup ?? '').join('\n') };
}

/** The marks within a line: `**name of a button**`, `` `as typed` ``, `[words](address)`. */
function inline(text: string): Markup {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)\s]+\))/);
  const marked = parts.map((part) => {
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link === null) return html`${part}`;
    return html`<a href="${link[2] ?? ''}">${link[1] ?? ''}</a>`;
  });
  return { markup: marked.map(({ markup }) => markup).join('') };
}

function list(lines: readonly string[], form: RegExp): Markup | null {
  const texts = lines.map((line) => form.exec(line)?.groups?.['text']);
  if (texts.some((text) => text === undefined)) return null;
  return join(texts.map((text) => html`<li>${inline(text ?? '')}</li>`));
}

function drawBlock(block: string, draw: DrawPicture): Markup | null {
  const lines = block.split('\n');
  const [first = ''] = lines;
  const heading = forms.heading.exec(first)?.groups?.['text'];
  if (heading !== undefined) return html`<h3>${heading}</h3>`;
  const picture = forms.picture.exec(first)?.groups;
  if (picture !== undefined) return draw(picture['name'] ?? '', picture['alt'] ?? '');
  const items = list(lines, forms.item);
  if (items !== null) return html`<ul>${items}</ul>`;
  const steps = list(lines, forms.step);
  if (steps !== null) return html`<ol>${steps}</ol>`;
  return html`<p>${inline(lines.join(' '))}</p>`;
}

/**
 * Reads a guide. It begins with the page's own words (`contents: Contents`), then the title (`# …`), the lead, and the
 * chapters (`## id Heading`); blocks are parted by empty lines.
 */
export function readGuide(source: string, draw: DrawPicture): GuideText {
  const blocks = source.trim().split(/\n\s*\n/);
  const words = (blocks.shift() ?? '').split('\n').map((line): [string, string] => {
    const { key = '', value = '' } = forms.word.exec(line)?.groups ?? {};
    return [key, value];
  });
  const title = forms.title.exec(blocks.shift() ?? '')?.groups?.['text'] ?? '';
  const lead = inline(blocks.shift() ?? '');
  const chapters: { id: string; heading: string; blocks: Markup[] }[] = [];
  for (const block of blocks) {
    const begin = forms.chapter.exec(block)?.groups;
    if (begin !== undefined) {
      chapters.push({ id: begin['id'] ?? '', heading: begin['text'] ?? '', blocks: [] });
      continue;
    }
    const drawn = drawBlock(block, draw);
    if (drawn !== null) chapters.at(-1)?.blocks.push(drawn);
  }
  return {
    words: new Map(words),
    title,
    lead,
    chapters: chapters.map(({ id, heading, blocks: drawn }) => ({
      id,
      heading,
      body: join(drawn),
    })),
  };
}
