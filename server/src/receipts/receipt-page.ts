/** The public page of a receipt, on screen and on paper, with a QR code that leads to the page that checks a file. */
import { definitionOf, families } from '@recodery/contract/families/registry';
import { pathOf } from '@recodery/contract/api';
import {
  downloadReceipt,
  type ReceiptContent,
  type ReceiptFile,
  type ReceiptKey,
} from '@recodery/contract/features/receipts';
import { verifyPath } from '@recodery/contract/served-paths';
import { encode } from 'uqr';
import { formatSize, formatTime } from '../email/formats.ts';
import { html, type Markup, plainPage } from '../http/pages/plain-page.ts';
import { fill, type Localization } from '../texts/texts.ts';

/** Shows times in the reader's time zone in addition to UTC, and the button that prints. */
const scripts = ['/local-time.js', '/print.js'];

/** Modules of white around a QR code: with fewer than four, readers may not detect it. */
const quietZone = 4;

/** The contents of the page. */
export interface ShownReceipt {
  readonly content: ReceiptContent;
  /** The key that signed it. */
  readonly key: ReceiptKey;
}

/** The page of a receipt. `publicUrl` is the portal's current address, which checks the receipt. */
export function receiptDocument(
  language: Localization,
  { content, key }: ShownReceipt,
  publicUrl: string,
): string {
  const { texts, locale } = language;
  const { code, slave, isDouble = false } = content;
  // in the fragment, which browsers never send to a server
  const check = `${verifyPath}#${code}`;
  return plainPage(
    locale,
    slave === null ? texts.receiptTitleWithoutDevice : fill(texts.receiptTitle, slave),
    html`<p>${texts.receiptIntro}</p>
${isDouble ? html`<p><strong>${fill(texts.doubleNote, nameFamily(content.family))}</strong></p>` : ''}
<div class="receipt">
<dl class="facts">
${factsOf(language, content, key)}
</dl>
<figure class="qr">
${drawQr(`${publicUrl}${check}`, texts.receiptQr)}
<figcaption>${texts.receiptQr}</figcaption>
</figure>
</div>
<h2>${texts.receiptFiles}</h2>
<ul class="files">
${content.files.map((file) => fileOf(language, content.family, file))}
</ul>
<p class="actions"><a class="button" href="${check}">${texts.receiptCheck}</a>
<a class="button quiet" href="${pathOf(downloadReceipt, { code })}">${texts.receiptJson}</a>
<button type="button" class="quiet" data-print hidden>${texts.receiptPrint}</button></p>
<p class="hint">${texts.receiptHint}</p>`,
    scripts,
  );
}

/** The page for a code without a receipt. */
export function unknownReceiptDocument({ texts, locale }: Localization): string {
  return plainPage(locale, texts.receiptUnknownTitle, html`<p>${texts.receiptUnknownText}</p>`);
}

function factsOf(
  { texts, locale }: Localization,
  {
    code,
    family,
    slave,
    protocol,
    encodedOn,
    portal,
    readChecksums = null,
    corrections = [],
  }: ReceiptContent,
  key: ReceiptKey,
): readonly Markup[] {
  const checksums = { right: texts.receiptChecksumsRight, wrong: texts.receiptChecksumsWrong };
  const facts: readonly (readonly [string, string | Markup, string])[] = [
    [texts.receiptCode, code, 'mono whole'],
    [texts.shareDevice, slave ?? '–', 'mono'],
    [texts.receiptFamily, nameFamily(family), ''],
    [
      texts.receiptProtocol,
      protocol === null
        ? '–'
        : [protocol.id, protocol.name].filter((one) => one !== null).join(' '),
      'mono',
    ],
    [
      texts.receiptTime,
      html`<time datetime="${encodedOn}" data-local="${texts.shareLocalTime}">${formatTime(new Date(encodedOn), locale)}</time>`,
      '',
    ],
    ...(readChecksums === null
      ? []
      : ([[texts.receiptReadChecksums, checksums[readChecksums], '']] as const)),
    ...corrections
      .filter(({ bytes }) => bytes > 0)
      .map(
        ({ scheme, parts }) =>
          [texts.receiptCorrections, `${scheme}: ${parts.join(', ')}`, ''] as const,
      ),
    [texts.receiptPortal, portal, 'mono'],
    [texts.receiptKey, key.kid, 'mono'],
  ];
  return facts.map(
    ([label, value, look]) => html`<dt>${label}</dt><dd class="${look}">${value}</dd>`,
  );
}

/** The name of a family; a receipt can be of a family that this version does not know. */
function nameFamily(family: string): string {
  const known = families.find((one) => one === family);
  return known === undefined ? family : definitionOf(known).name;
}

function fileOf({ texts, locale }: Localization, family: string, file: ReceiptFile): Markup {
  const { role, component, size, sha256 } = file;
  const names = {
    decoded: texts.receiptDecoded,
    modified: texts.receiptModified,
    original: texts.receiptOriginal,
    encoded: texts.receiptEncoded,
  };
  const part = componentTypeOf(family, component);
  const name = part === null ? names[role] : `${names[role]} · ${part}`;
  return html`<li><p><strong>${name}</strong> <span>${formatSize(size, locale)}</span></p>
<p class="mono"><span class="hidden">SHA-256 </span>${sha256}</p></li>`;
}

/** The name of a component as the family writes it; null for the single image of an OBD read. */
function componentTypeOf(family: string, component: string | null): string | null {
  if (component === null || component === 'obd') return null;
  const known = families.find((one) => one === family);
  const types = known === undefined ? [] : definitionOf(known).componentTypes;
  return types.find((type) => type.toLowerCase() === component) ?? component;
}

/** A QR code as one path: dark on white in both themes, because many readers do not detect inverted codes. */
function drawQr(text: string, label: string): Markup {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return html`<svg viewBox="0 0 ${String(size)} ${String(size)}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="${path}"/></svg>`;
}
