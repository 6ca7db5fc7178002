/** The parts that the documents share, where they have a comment such as `<!-- part: head -->`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { fallbackLanguage, type Language, languages } from './src/i18n/languages.ts';

const here = import.meta.dirname;

/** What a document shows without the page's script. */
interface Words {
  readonly tooOld: string;
  readonly noScript: string;
}

function wordsIn(language: Language): Words {
  return JSON.parse(
    readFileSync(join(here, 'src/i18n/locales', language, 'document.json'), 'utf8'),
  );
}

/** A paragraph in each language, English first; for browsers, the region matters only where several are common. */
function paragraphs(key: keyof Words): string {
  const others = languages.filter((language) => language !== fallbackLanguage);
  const lines = [fallbackLanguage, ...others].map((language) => {
    const tag = ['pt-BR', 'zh-CN'].includes(language) ? language : language.slice(0, 2);
    return `<p lang="${tag}">${wordsIn(language)[key]}</p>`;
  });
  return lines.join('\n');
}

/** The words for browsers that are too old, and for those without JavaScript. */
function words(): string {
  return `<!-- Hidden by the style sheet in every browser that the script is built for. -->
<div class="words words-old">
${paragraphs('tooOld')}
</div>
<noscript>
<div class="words">
${paragraphs('noScript')}
</div>
</noscript>`;
}

/** A document with its parts. @throws when it names a part that does not exist */
export function withParts(html: string): string {
  return html.replace(/<!-- part: (\w+) -->/g, (_, name: string) =>
    name === 'words' ? words() : readFileSync(join(here, 'parts', `${name}.html`), 'utf8').trim(),
  );
}

/** Fills in the parts of every document. */
export function documentParts(): Plugin {
  return {
    name: 'recodery-document-parts',
    transformIndexHtml: { order: 'pre', handler: withParts },
  };
}
