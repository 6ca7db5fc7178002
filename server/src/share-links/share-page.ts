/** The public page behind an email's link, as text: what the file is, or why it is no longer available. */
import { pathOf } from '@recodery/contract/api';
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import { downloadDays } from '@recodery/contract/features/notifications';
import { receiptPage } from '@recodery/contract/features/receipts';
import { html, type Markup, plainPage } from '../http/pages/plain-page.ts';
import { fill, type Localization, type ServerTextKey, type ServerTexts } from '../texts/texts.ts';
import { formatSize, formatTime } from '../email/formats.ts';
import { doubleNote, type FileOrigin, nameDevice, sealFacts } from '../email/file-origin.ts';

/** Shows times in the reader's time zone in addition to UTC; without JavaScript, the page shows only UTC. */
const localTime = '/local-time.js';

/** The facts that the page shows about the file. */
export interface SharedFile {
  readonly senderName: string;
  readonly slaveSerialNumber: string | null;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly note: string | null;
  readonly expiresOn: Date;
  /** Null for a file that was encoded before receipts existed. */
  readonly receiptCode: string | null;
  readonly origin: FileOrigin | null;
  readonly sealing: SealingState;
}

/** Why a link is not valid: unknown link, expired, withdrawn by its sender, or its file was deleted or is damaged. */
export type DeadEnd = 'unknown' | 'expired' | 'revoked' | 'gone' | 'damaged';

/** The page with the download; `action` is the URL of its button. */
export function sharedFilePage(language: Localization, action: string, file: SharedFile): string {
  const { texts, locale } = language;
  const device = nameDevice(file.slaveSerialNumber, file.origin);
  // a file that is sealed again before it is sent gets other times
  const isDue = file.sealing.state === 'due';
  const seal = isDue ? [] : sealFacts(file.origin, texts, (time) => timeOf(time, language));
  const double = doubleNote(file.origin, texts);
  const facts = [
    [texts.shareFile, file.fileName, 'mono'],
    [texts.shareDevice, device, 'mono'],
    [texts.shareSize, formatSize(file.size, locale), ''],
    [texts.shareSender, file.senderName, ''],
    ...seal.map(([label, time]) => [label, time, ''] as const),
    [texts.shareUntil, timeOf(file.expiresOn, language), ''],
  ] as const;
  const rows = facts.map(
    ([label, value, look]) => html`<dt>${label}</dt><dd class="${look}">${value}</dd>`,
  );
  return plainPage(
    locale,
    fill(texts.shareTitle, device),
    html`${double === null ? '' : html`<p>${double}</p>`}
<dl class="facts">
${rows}
</dl>
${noteOf(texts.shareNote, file.note)}${downloadOf(texts, action, file.sealing)}
<p class="hint">${texts.shareHint}${seal.length === 0 ? '' : ` ${texts.shareSealHint}`}</p>
${receiptOf(texts.shareReceipt, file.receiptCode)}`,
    [localTime],
  );
}

function buttonOf(action: string, label: string): Markup {
  return html`<form method="post" action="${action}">
<button type="submit">${label}</button>
</form>`;
}

/** The button that downloads the file, or what keeps it from being written, with what to do. */
function downloadOf(
  texts: ServerTexts,
  action: string,
  { state, isWaiting, reason }: SealingState,
): Markup {
  const earlier = html`<p class="hint">${texts.shareSealEarlierHint}</p>
${buttonOf(`${action}?delivery=earlier`, texts.shareSealEarlier)}`;
  const words = {
    due: texts.shareSealDue,
    impossible: texts.shareSealOld,
    sealing: isWaiting ? texts.shareSealWaiting : texts.shareSealing,
    failed: texts[failures[reason ?? 'FAILED']],
  } as const;
  if (state === 'lasting' || state === 'fresh') return buttonOf(action, texts.shareButton);
  const word = html`<p role="status">${words[state]}</p>`;
  if (state === 'due' || state === 'impossible')
    return html`${word}
${buttonOf(action, texts.shareButton)}`;
  if (state === 'sealing')
    return isWaiting
      ? html`${word}
${earlier}`
      : word;
  return html`${word}
${buttonOf(action, texts.shareSealAgain)}
${earlier}`;
}

const failures = {
  ENGINE_REFUSED: 'shareSealRefused',
  ENGINE_UNAVAILABLE: 'shareSealUnavailable',
  FAILED: 'shareSealFailed',
} as const satisfies Record<NonNullable<SealingState['reason']>, ServerTextKey>;

/** A point in time for {@link localTime}: its instant, and the words around the reader's local time. */
function timeOf(time: Date, { locale, texts }: Localization): Markup {
  return html`<time datetime="${time.toISOString()}" data-local="${texts.shareLocalTime}">${formatTime(time, locale)}</time>`;
}

function receiptOf(label: string, code: string | null): Markup | null {
  return code === null
    ? null
    : html`<p class="hint"><a href="${pathOf(receiptPage, { code })}">${label}</a></p>`;
}

function noteOf(label: string, note: string | null): Markup | null {
  if (note === null) return null;
  return html`<section class="note"><h2>${label}</h2><p dir="auto">${note}</p></section>
`;
}

const words = {
  unknown: ['shareUnknownTitle', 'shareUnknownText'],
  expired: ['shareExpiredTitle', 'shareExpiredText'],
  revoked: ['shareRevokedTitle', 'shareRevokedText'],
  gone: ['shareGoneTitle', 'shareGoneText'],
  damaged: ['shareDamagedTitle', 'shareGoneText'],
} as const satisfies Record<DeadEnd, readonly [ServerTextKey, ServerTextKey]>;

/** The page of a link that is not valid. */
export function deadEndPage({ locale, texts }: Localization, why: DeadEnd): string {
  const [title, text] = words[why];
  return plainPage(locale, texts[title], html`<p>${fill(texts[text], downloadDays)}</p>`);
}
