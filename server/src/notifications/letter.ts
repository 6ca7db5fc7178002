/** Writes the mail that tells a workshop of its file: the same in text and HTML, in the workshop's language and the product's look. */
import { html, type Markup } from '../http/plain-page.ts';
import type { Letter } from '../platform/mail.ts';
import { fill, type Language } from '../texts/texts.ts';
import { formatTime } from './formats.ts';
import type { ClaimedMail } from './mails.ts';
import { defuseLinks } from './note-rules.ts';

/** Good enough for the header of a mail: what an operator wrote as an organisation's address may be anything. */
const plainAddress = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/;

/** Writes the letter of a mail. `link` is where its file can be had. */
export function writeLetter(mail: ClaimedMail, language: Language, link: string): Letter {
  const { senderName: name, senderEmail } = mail;
  const device = mail.slaveSerialNumber ?? '–';
  const canReply = senderEmail !== null && plainAddress.test(senderEmail);
  const { texts } = language;
  const parts: Parts = {
    language,
    link,
    device,
    subject: fill(texts.mailSubject, name, device),
    intro: endOnce(fill(texts.mailIntro, name, device)),
    note: mail.note === null ? null : defuseLinks(mail.note),
    facts: [
      [texts.shareFile, mail.fileName],
      [texts.shareDevice, device],
    ],
    until: fill(texts.mailUntil, formatTime(mail.expiresOn, language.locale)),
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

/** A name that ends with a full stop (“S.r.l.”) ends its sentence too. */
function endOnce(sentence: string): string {
  return sentence.replace(/\.\.$/, '.');
}

interface Parts {
  readonly language: Language;
  readonly link: string;
  readonly device: string;
  readonly subject: string;
  readonly intro: string;
  readonly note: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly until: string;
  readonly footer: string;
}

function textOf({ language, link, intro, note, facts, until, footer }: Parts): string {
  const { texts } = language;
  const labelled = (label: string) => fill(texts.mailLabel, label);
  const blocks = [
    intro,
    facts.map(([label, value]) => `${labelled(label)} ${value}`).join('\n'),
    ...(note === null ? [] : [`${labelled(texts.shareNote)}\n${note}`]),
    `${labelled(texts.mailButton)}\n${link}`,
    until,
    // what follows is the signature (RFC 3676, section 4.3)
    `-- \n${footer}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

// Mail programs know neither variables nor, some of them, style sheets: the light values stand at each element, the
// dark ones in the sheet.
const sans = "'IBM Plex Sans',system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans SC',sans-serif";
const mono = "'IBM Plex Mono',ui-monospace,Menlo,Consolas,monospace";
const styles = {
  ground: `margin:0;padding:0;background:#f4f6f7;color:#12181d;font-family:${sans};font-size:15px;line-height:1.5`,
  card: 'width:100%;max-width:560px;background:#ffffff;border:1px solid #dde2e6;border-radius:14px',
  inside: 'padding:28px 28px 24px',
  brand: 'margin:0 0 24px;font-weight:600;font-size:16px;line-height:28px;color:#12181d',
  mark: 'display:inline-block;width:28px;height:28px;margin-right:10px;border-radius:7px;background:#0a6b70;color:#ffffff;font-size:17px;line-height:28px;text-align:center',
  title:
    'margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:#12181d;word-break:break-word',
  label: 'padding:0 16px 6px 0;color:#46525d;vertical-align:top;white-space:nowrap',
  whole: 'white-space:nowrap',
  value: `padding:0 0 6px;color:#12181d;font-family:${mono};font-size:14px;vertical-align:top;word-break:break-word`,
  note: 'margin:14px 0 0;padding:12px 14px;background:#eef1f3;border-radius:10px;color:#12181d;white-space:pre-wrap;word-break:break-word;unicode-bidi:plaintext',
  noteLabel: 'margin:20px 0 -8px;color:#46525d',
  button:
    'display:inline-block;padding:11px 22px;background:#0a6b70;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:16px 0 0;font-size:13px;color:#46525d',
  link: 'color:#0a6b70;word-break:break-all',
  footer: 'padding:16px 28px 20px;border-top:1px solid #dde2e6;font-size:13px;color:#46525d',
} as const;
const darkSheet = `
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #0e1215 !important; }
  .card { background: #161b1f !important; border-color: #29323a !important; }
  .ink { color: #e8edf0 !important; }
  .quiet { color: #b3bec6 !important; }
  .note { background: #1c2328 !important; color: #e8edf0 !important; }
  .button { background: #4cbfc2 !important; color: #06201f !important; }
  .link { color: #4cbfc2 !important; }
  .footer { border-color: #29323a !important; }
}
`;

function htmlOf(parts: Parts): Markup {
  const { language, link, subject, intro, note, facts, until, footer } = parts;
  const { texts, locale } = language;
  const rows = facts.map(
    ([label, value]) => html`
<tr><td class="quiet" style="${styles.label}">${label}</td><td class="ink" style="${styles.value}">${value}</td></tr>`,
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
<style>${{ markup: darkSheet }}</style>
</head>
<body class="ground" style="${styles.ground}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="${styles.ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" cellpadding="0" cellspacing="0" align="center" style="${styles.card}">
<tr><td style="${styles.inside}">
<p class="ink" style="${styles.brand}"><span aria-hidden="true" style="${styles.mark}">R</span>Recodery</p>
<h1 class="ink" style="${styles.title}">${keepWhole(intro, parts.device)}</h1>
<table role="presentation" cellpadding="0" cellspacing="0">${join(rows)}
</table>${noteOf(texts.shareNote, note)}
<p style="margin:24px 0 0"><a class="button"
href="${link}"
style="${styles.button}">${texts.mailButton}</a></p>
<p class="quiet" style="${styles.small}">${texts.mailLinkHint}<br><a class="link"
href="${link}"
style="${styles.link}">
${link}</a></p>
<p class="quiet" style="${styles.small}">${until}</p>
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

function noteOf(label: string, note: string | null): Markup | null {
  if (note === null) return null;
  return html`
<p class="quiet" style="${styles.noteLabel}">${label}</p>
<div class="note" dir="auto" style="${styles.note}">${note}</div>`;
}
