/**
 * Writes the email that announces a file to a workshop: the same in text and HTML, in the workshop's language and the
 * product's look.
 */
import { html, type Markup } from '../http/pages/plain-page.ts';
import type { OutgoingEmail } from './smtp.ts';
import { fill, type Localization } from '../texts/texts.ts';
import { formatTimeIn } from './formats.ts';
import type { ClaimedMail } from './emails.ts';
import { writeHtml, styles } from './email-layout.ts';
import { defuseLinks } from './note-rules.ts';
import { doubleNote, nameDevice, sealFacts } from './file-origin.ts';

/**
 * Accepts addresses that are safe in an email header: the operator may have entered anything as an organisation's
 * address.
 */
const plainAddress = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/;

/** The addresses in an email; null: there is no receipt. */
export interface EmailLinks {
  readonly file: string;
  readonly receipt: string | null;
}

/**
 * Writes the text of an email. Times are in `timeZone`, a name such as `Europe/Rome`, and in UTC.
 */
export function writeEmail(
  mail: ClaimedMail,
  language: Localization,
  links: EmailLinks,
  timeZone: string,
): OutgoingEmail {
  const { senderName: name, senderEmail } = mail;
  const device = nameDevice(mail.slaveSerialNumber, mail.origin);
  const canReply = senderEmail !== null && plainAddress.test(senderEmail);
  const { texts } = language;
  const timeOf = (time: Date): string => formatTimeIn(time, language.locale, timeZone);
  const seal = sealFacts(mail.origin, texts, timeOf);
  const until = fill(texts.mailUntil, timeOf(mail.expiresOn));
  const parts: Parts = {
    language,
    links,
    device,
    subject: fill(texts.mailSubject, name, device),
    intro: endOnce(fill(texts.mailIntro, name, device)),
    double: doubleNote(mail.origin, texts),
    note: mail.note === null ? null : defuseLinks(mail.note),
    facts: [[texts.shareFile, mail.fileName], [texts.shareDevice, device], ...seal],
    until: seal.length === 0 ? until : `${until} ${texts.shareSealHint}`,
    footer: [
      endOnce(fill(texts.mailFooter, name)),
      ...(canReply ? [fill(texts.mailReply, senderEmail)] : []),
    ].join(' '),
  };
  return {
    guid: mail.guid,
    to: mail.email,
    replyTo: canReply ? { name, address: senderEmail } : null,
    date: mail.createdOn,
    subject: parts.subject,
    text: textOf(parts),
    html: htmlOf(parts).markup,
    language: language.locale,
  };
}

/** If a name ends with a period (“S.r.l.”), the sentence needs no second one. */
function endOnce(sentence: string): string {
  return sentence.replace(/\.\.$/, '.');
}

interface Parts {
  readonly language: Localization;
  readonly links: EmailLinks;
  readonly device: string;
  readonly subject: string;
  readonly intro: string;
  readonly double: string | null;
  readonly note: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly until: string;
  readonly footer: string;
}

function textOf({ language, links, intro, double, note, facts, until, footer }: Parts): string {
  const { texts } = language;
  const labeled = (label: string) => fill(texts.mailLabel, label);
  const blocks = [
    intro,
    ...(double === null ? [] : [double]),
    facts.map(([label, value]) => `${labeled(label)} ${value}`).join('\n'),
    ...(note === null ? [] : [`${labeled(texts.shareNote)}\n${note}`]),
    `${labeled(texts.mailButton)}\n${links.file}`,
    until,
    ...(links.receipt === null ? [] : [`${labeled(texts.mailReceipt)}\n${links.receipt}`]),
    // what follows is the signature (RFC 3676, section 4.3)
    `-- \n${footer}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function htmlOf(parts: Parts): Markup {
  const { language, links, subject, intro, double, note, facts, until, footer } = parts;
  const { texts } = language;
  const rows = facts.map(
    ([label, value]) => html`
<tr><td class="fact label quiet" style="${styles.label}">${label}</td><td class="fact value ink" width="100%" style="${styles.value}">${value}</td></tr>`,
  );
  return writeHtml(language, {
    subject,
    title: keepWhole(intro, parts.device),
    body: html`${double === null ? '' : html`<p class="ink">${double}</p>`}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${join(rows)}
</table>${noteOf(texts.shareNote, note)}`,
    button: texts.mailButton,
    link: links.file,
    until,
    end: receiptOf(texts.mailReceipt, links.receipt),
    footer,
  });
}

/** A text in which a serial number is not broken at its hyphen. */
function keepWhole(text: string, serial: string): Markup {
  const whole = html`<span style="${styles.whole}">${serial}</span>`;
  return join(
    text
      .split(serial)
      .map((piece, index) => (index === 0 ? html`${piece}` : html`${whole}${piece}`)),
  );
}

function join(parts: readonly Markup[]): Markup {
  return { markup: parts.map(({ markup }) => markup).join('') };
}

function receiptOf(label: string, link: string | null): Markup | null {
  if (link === null) return null;
  return html`
<p class="quiet" style="${styles.small}"><a class="link"
href="${link}"
style="${styles.link}">${label}</a></p>`;
}

function noteOf(label: string, note: string | null): Markup | null {
  if (note === null) return null;
  return html`
<p class="quiet" style="${styles.noteLabel}">${label}</p>
<div class="note" dir="auto" style="${styles.note}">${note}</div>`;
}
