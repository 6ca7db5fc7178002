/** The look of every email: one card with a title, a button with its link, and a footer. */
import { html, type Markup } from '../http/pages/plain-page.ts';
import type { Localization } from '../texts/texts.ts';

// Email clients do not support variables, and some do not support style sheets: light values are set on each element,
// dark ones in the sheet. The font is that of the pages if the reader has it; no font is loaded.
const sans =
  "'IBM Plex Sans',system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif";
const mono = "'IBM Plex Mono',ui-monospace,Menlo,Consolas,monospace";
const line = 'border-top:1px solid #dde2e6';
/** The styles of an email's elements. */
export const styles = {
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

/** What an email shows, from top to bottom. */
export interface EmailParts {
  readonly subject: string;
  readonly title: Markup;
  /** Between the title and the button. */
  readonly body: Markup | null;
  readonly button: string;
  readonly link: string;
  /** How long the link works; null: it does not expire. */
  readonly until: string | null;
  /** Below the link. */
  readonly end: Markup | null;
  readonly footer: string;
}

/** A whole email as HTML. */
export function writeHtml({ texts, locale }: Localization, parts: EmailParts): Markup {
  const { subject, title, body, button, link, until, end, footer } = parts;
  const untilLine =
    until === null ? null : html`<p class="ink" style="${styles.until}">${until}</p>`;
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
<h1 class="ink" style="${styles.title}">${title}</h1>${body}
<p style="margin:24px 0 0"><a class="button"
href="${link}"
style="${styles.button}">${button}</a></p>
${untilLine}
<p class="quiet" style="${styles.small}">${texts.mailLinkHint}<br><a class="link"
href="${link}"
style="${styles.link}">
${link}</a></p>${end}
</td></tr>
<tr><td class="quiet footer" style="${styles.footer}">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
