/** Server-rendered pages for readers without a session: they work without JavaScript, in the product's look. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findBuiltStyles } from './built-styles.ts';

/** A file used by pages: its URL changes with its bytes, so browsers can cache it forever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Reads a file of a page. `name` is the beginning of its URL below `/assets`, `type` the content type. */
export function readAsset(path: string, name: string, type: string): Asset {
  const bytes = readFileSync(path);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}${extname(path)}`, type, bytes };
}

/** Serves the files of a page, which are in one folder: a route for each of them would take longer than all other pages. */
export function serveAssets(app: FastifyInstance, folder: string, assets: readonly Asset[]): void {
  const byPath = new Map(assets.map((asset) => [asset.path, asset]));
  app.get<{ Params: { name: string } }>(`/assets/${folder}/:name`, async (request, reply) => {
    const asset = byPath.get(`/assets/${folder}/${request.params.name}`);
    if (asset === undefined) return reply.callNotFound();
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .type(asset.type)
      .send(asset.bytes);
  });
}

const look = findBuiltStyles(join(import.meta.dirname, '../../../../web/dist'));

/** Markup that is safe to insert into a page unchanged. */
export interface Markup {
  readonly markup: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup: every value is escaped unless it is markup itself; the items of a list are put on separate lines. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[] | null)[]
): Markup {
  const safe = values.map((value) => {
    if (value === null) return '';
    if (typeof value === 'string')
      return value.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '');
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n');
  });
  return { markup: String.raw({ raw: parts }, ...safe) };
}

/** The content security policy of public pages with data of users: as strict as the page allows. */
const plainPagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page. */
export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

/** Sends a public page with data of users. Search engines must not list it. */
export function sendPublicPage(reply: FastifyReply, status: number, page: string): undefined {
  reply
    .header('content-security-policy', plainPagePolicy)
    .header('x-robots-tag', 'noindex, nofollow, noarchive');
  sendPage(reply, status, page);
  return undefined;
}

/** The product's mark and name. */
export const brand: Markup = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect class="ground" width="32" height="32" rx="8"/><path class="line" d="M10.5 24V8.5h6.6a5.1 5.1 0 0 1 0 10.2h-6.6M17.4 18.7 22 24"/><circle class="dot" cx="16.4" cy="13.6" r="1.7"/></svg><span>Recodery</span>`;

/**
 * A whole document in the product's look. `body` is its body element, `locale` the language tag of its texts, `scripts`
 * the URLs of its scripts.
 */
export function plainDocument(
  locale: string,
  title: string,
  body: Markup,
  scripts: readonly string[] = [],
): string {
  const font =
    look.font === null
      ? null
      : html`<link rel="preload" href="${look.font}" as="font" type="font/woff2" crossorigin>
`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#161b1f" media="(prefers-color-scheme: dark)">
<title>${title} · Recodery</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<script src="/theme.js"></script>
${font}<link rel="stylesheet" href="${look.sheet}">
${scripts.map((path) => html`<script src="${path}" defer></script>`)}
</head>
${body}
</html>
`.markup;
}

/**
 * A page with one card: the title as heading, and `body`. `locale` is the language tag of its texts; `scripts` as in
 * {@link plainDocument}.
 */
export function plainPage(
  locale: string,
  title: string,
  body: Markup,
  scripts: readonly string[] = [],
): string {
  return plainDocument(
    locale,
    title,
    html`<body>
<header class="bar"><p class="brand">${brand}</p></header>
<main class="stage"><div class="card">
<h1>${title}</h1>
${body}
</div></main>
</body>`,
    scripts,
  );
}
