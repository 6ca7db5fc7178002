/**
 * Renders the API page: `introduction.md` with authentication, one whole workflow as commands and the Encoding API, then
 * the reference. It works without JavaScript.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { type Route, startsWork } from '@recodery/contract/api';
import { tokenDays } from '@recodery/contract/features/clients';
import { definitionOf, families } from '@recodery/contract/families/registry';
import { Marked, Renderer } from 'marked';
import { brand, html, type Markup, plainDocument } from '../pages/plain-page.ts';
import { renderEncodingApi } from './encoding-api.ts';
import { renderReference } from './reference.ts';
import { code, renderTable } from './table.ts';

type Routes = ReadonlyMap<string, Route>;

/** Markdown in which `[](#call)` is a line with the verb and path of this call. */
function createMarkdown(all: Routes): Marked {
  return new Marked({
    renderer: {
      code: ({ text }) =>
        html`<pre tabindex="0"><code class="command">${text}</code></pre>\n`.markup,
      list(token) {
        const list = Renderer.prototype.list.call(this, token);
        return token.ordered ? list.replace('<ol>', '<ol class="steps">') : list;
      },
      link({ href, tokens }) {
        const { verb, path } = all.get(href.slice(1)) ?? { verb: '', path: href };
        const words =
          tokens.length > 0 ? this.parser.parseInline(tokens) : `<code>${verb} ${path}</code>`;
        return `<a href="${href}">${words}</a>`;
      },
      paragraph({ tokens, text }) {
        const content = this.parser.parseInline(tokens);
        return text.startsWith('[](') ? `<p class="made">${content}</p>\n` : `<p>${content}</p>\n`;
      },
    },
  });
}

/** The calls of each family, by what a program needs them for: to upload a read file, to upload other files, to encode. */
function renderFamilies(all: Routes): Markup {
  const linksTo = (family: string, isUpload: boolean, starts: boolean): Markup => {
    const calls = [...all].filter(
      ([name, route]) =>
        name.startsWith(`${family}.`) &&
        (route.parts.file !== undefined) === isUpload &&
        startsWork(route) === starts,
    );
    const links = calls.map(
      ([name, { path }]) =>
        html`<div><a href="#${name}">${code(basename(path.replace(/\/\{.*/, '')))}</a></div>`,
    );
    return html`${links}`;
  };
  const rows = families.map((family) => [
    html`${definitionOf(family).name}`,
    linksTo(family, true, true),
    linksTo(family, true, false),
    linksTo(family, false, true),
  ]);
  return renderTable(null, ['Family', 'Upload a read file', 'Upload other files', 'Encode'], rows);
}

/** The sections of the introduction, by their ids; a heading begins with it, as in `## failures When a call fails`. */
function readIntroduction(all: Routes, publicUrl: string) {
  const markdown = createMarkdown(all);
  const values = new Map([
    ['portal', publicUrl],
    ['tokenDays', String(tokenDays)],
  ]);
  const derived = new Map([
    ['families', renderFamilies(all)],
    ['encodingApi', renderEncodingApi()],
  ]);
  const source = readFileSync(join(import.meta.dirname, 'introduction.md'), 'utf8');
  return source
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [, id = '', heading = '', text = ''] = /^(\S+) (.+)\n([^]*)$/.exec(part) ?? [];
      const filled = text.replace(/\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);
      const markup = markdown
        .parse(filled, { async: false })
        .replace(/<p>\{(\w+)\}<\/p>/g, (whole, name) => derived.get(name)?.markup ?? whole);
      return { id, heading, body: { markup } };
    });
}

/** The page; `publicUrl` is the origin that the commands call. */
export function renderApiPage(all: Routes, publicUrl: string): string {
  const reference = renderReference(all);
  const introduction = readIntroduction(all, publicUrl);
  const links = introduction.map(
    ({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`,
  );
  const sections = introduction.map(
    ({ id, heading, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>`,
  );
  const body = html`<body>
<header class="bar">
<a class="brand" href="/">${brand}<span class="hidden">: to the portal</span></a>
<nav aria-label="More"><ul>
<li><a href="/guide/en">User guide</a></li>
<li><a href="/api/docs" aria-current="page">API</a></li>
<li><a href="/api/openapi.json">OpenAPI</a></li>
</ul></nav>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<p>Start here</p>
<ol>${links}</ol>
<p>Reference</p>
<ol>${reference.contents}</ol>
</nav>
<main class="reading">
<h1>API</h1>
<p class="lead">Your own programs can do almost everything that the portal’s pages do, with the same calls. The API is also described by
<a href="/api/openapi.json">an OpenAPI 3.1 document</a>.</p>
${sections}
${reference.body}
</main>
</div>
</body>`;
  return plainDocument('en', 'API', body);
}
