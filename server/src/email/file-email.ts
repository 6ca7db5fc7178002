/**
 * Writes the email that announces a file to a workshop: the same in text and HTML, in the workshop's language and the
 * product's look.
 */
import { html, type Markup } from '../http/pages/plain-page.ts';
import type { OutgoingEmail } from './smtp.ts';
import { fill, type Language } from '../texts/texts.ts';
import { formatTimeIn } from './formats.ts';
import type { ClaimedMail } from './emails.ts';
import { defuseLinks } from './note-rules.ts';

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
  language: Language,
  links: EmailLinks,
  timeZone: string,
): OutgoingEmail {
  const { senderName: name, senderEmail } = mail;
  const device = mail.slaveSerialNumber ?? '–';
  const canReply = senderEmail !== null && plainAddress.test(senderEmail);
  const { texts } = language;
  const parts: Parts = {
    language,
    links,
    device,
    subject: fill(texts.mailSubject, name, device),
    intro: endOnce(fill(texts.mailIntro, name, device)),
    note: mail.note === null ? null : defuseLinks(mail.note),
    facts: [
      [texts.shareFile, mail.fileName],
      [texts.shareDevice, device],
    ],
    until: fill(texts.mailUntil, formatTimeIn(mail.expiresOn, language.locale, timeZone)),
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
  readonly language: Language;
  readonly links: EmailLinks;
  readonly device: string;
  readonly subject: string;
  readonly intro: string;
  readonly note: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly until: string;
  readonly footer: string;
}

function textOf({ language, links, intro, note, facts, until, footer }: Parts): string {
  const { texts } = language;
  const labeled = (label: string) => fill(texts.mailLabel, label);
  const blocks = [
    intro,
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

// Email clients do not support variables, and some do not support style sheets: light values are set on each element,
// dark ones in the sheet. The font is that of the pages if the reader has it; no font is loaded.
const sans =
  "'IBM Plex Sans',system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif";
const mono = "'IBM Plex Mono',ui-monospace,Menlo,Consolas,monospace";
const line = 'border-top:1px solid #dde2e6';
const styles = {
  ground: `margin:0;padding:0;background:#f4f6f7;color:#12181d;font-family:${sans};font-size:16px;line-height:1.55`,
  card: 'width:100%;max-width:600px;background:#ffffff;border:1px solid #dde2e6;border-radius:14px',
  bar: 'padding:14px 32px;border-bottom:1px solid #dde2e6;font-weight:600;font-size:15px;line-height:28px;color:#12181d',
  mark: 'display:inline-block;width:28px;height:28px;margin-right:12px;border-radius:7px;background:#0a6b70;color:#ffffff;font-size:17px;line-height:28px;text-align:center',
  inside: 'padding:32px 32px 28px',
  title:
    'margin:0 0 24px;font-size:24px;line-height:1.33;font-weight:600;letter-spacing:-.01em;color:#12181d;word-break:break-word',
  label: `padding:10px 20px 10px 0;${line};color:#46525d;font-size:15px;line-height:22px;vertical-align:top;white-space:nowrap`,
  value: `padding:10px 0;${line};color:#12181d;font-family:${mono};font-size:14px;line-height:22px;vertical-align:top;word-break:break-word`,
  whole: 'white-space:nowrap',
  noteLabel: 'margin:20px 0 6px;color:#46525d;font-size:14px;line-height:20px',
  note: 'margin:0;padding:14px 16px;background:#eef1f3;border-radius:10px;color:#12181d;white-space:pre-wrap;word-break:break-word;unicode-bidi:plaintext',
  button:
    'display:inline-block;padding:12px 24px;background:#0a6b70;border-radius:6px;color:#ffffff;font-weight:600;line-height:24px;text-decoration:none',
  until: 'margin:16px 0 0;color:#12181d',
  small: 'margin:24px 0 0;font-size:14px;line-height:20px;color:#46525d',
  link: 'color:#0a6b70;word-break:break-all',
  footer: `padding:18px 32px 22px;${line};font-size:14px;line-height:20px;color:#46525d`,
} as const;
const sheet = `
:root { color-scheme: light dark; }
@media (max-width: 480px) {
  .bar, .inside, .footer { padding-left: 20px !important; padding-right: 20px !important; }
  .inside { padding-top: 24px !important; }
  .fact { display: block !important; white-space: normal !important; }
  .label { padding-bottom: 0 !important; }
  .value { padding-top: 2px !important; border-top: 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .ground { background: #0e1215 !important; }
  .card { background: #161b1f !important; border-color: #29323a !important; }
  .ink { color: #e8edf0 !important; }
  .quiet { color: #b3bec6 !important; }
  .note { background: #1c2328 !important; color: #e8edf0 !important; }
  .mark, .button { background: #4cbfc2 !important; color: #06201f !important; }
  .link { color: #4cbfc2 !important; }
  .bar, .fact, .footer { border-color: #29323a !important; }
}
`;

function htmlOf(parts: Parts): Markup {
  const { language, links, subject, intro, note, facts, until, footer } = parts;
  const link = links.file;
  const { texts, locale } = language;
  const rows = facts.map(
    ([label, value]) => html`
<tr><td class="fact label quiet" style="${styles.label}">${label}</td><td class="fact value ink" width="100%" style="${styles.value}">${value}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, address=no, email=no, url=no">
<title>${subject}</title>
<style>${{ markup: sheet }}</style>
</head>
<body class="ground" style="${styles.ground}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="${styles.ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" cellpadding="0" cellspacing="0" align="center" style="${styles.card}">
<tr><td class="bar ink" style="${styles.bar}"><span class="mark" aria-hidden="true" style="${styles.mark}">R</span>Recodery</td></tr>
<tr><td class="inside" style="${styles.inside}">
<h1 class="ink" style="${styles.title}">${keepWhole(intro, parts.device)}</h1>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${join(rows)}
</table>${noteOf(texts.shareNote, note)}
<p style="margin:24px 0 0"><a class="button"
href="${link}"
style="${styles.button}">${texts.mailButton}</a></p>
<p class="ink" style="${styles.until}">${until}</p>
<p class="quiet" style="${styles.small}">${texts.mailLinkHint}<br><a class="link"
href="${link}"
style="${styles.link}">
${link}</a></p>${receiptOf(texts.mailReceipt, links.receipt)}
</td></tr>
<tr><td class="quiet footer" style="${styles.footer}">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
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
