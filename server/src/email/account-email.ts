/** Writes the emails about accounts: an invitation, a link for a new password, and news about second factors. */
import { html } from '../http/pages/plain-page.ts';
import { fill, type Localization } from '../texts/texts.ts';
import type { ClaimedAccountMail } from './account-emails.ts';
import { writeHtml } from './email-layout.ts';
import { formatTimeIn } from './formats.ts';
import type { OutgoingEmail } from './smtp.ts';

/** The texts of news: subject and title. */
const news = {
  'factor-added': ['factorAddedSubject', 'factorAddedIntro'],
  'factor-removed': ['factorRemovedSubject', 'factorRemovedIntro'],
  'factor-guessed': ['factorGuessedSubject', 'factorGuessedIntro'],
  'recovery-code-used': ['recoveryUsedSubject', 'recoveryUsedIntro'],
} as const;

/** What differs between them. */
function wordsOf(
  { kind, organisationName, inviterName }: ClaimedAccountMail,
  { texts }: Localization,
) {
  if (kind === 'password')
    return {
      subject: texts.resetMailSubject,
      title: texts.resetMailIntro,
      button: texts.passwordButton,
      footer: texts.resetMailFooter,
    };
  if (kind !== 'invitation') {
    const [subject, title] = news[kind];
    return {
      subject: texts[subject],
      title: texts[title],
      button: texts.accountMailButton,
      footer: texts.accountMailFooter,
    };
  }
  const organisation = organisationName ?? 'Recodery';
  return {
    subject: fill(texts.inviteMailSubject, organisation),
    title:
      inviterName === null
        ? fill(texts.inviteMailSubject, organisation)
        : fill(texts.inviteMailIntro, inviterName, organisation),
    button: texts.inviteMailButton,
    footer: fill(texts.inviteMailFooter, organisation),
  };
}

/** How an email is written. */
export interface Letter {
  readonly language: Localization;
  readonly link: string;
  /** Whether the link expires with the email's row. */
  readonly expires: boolean;
  /** Such as `Europe/Rome`. */
  readonly timeZone: string;
}

/** The email in text and HTML; times are in the time zone and in UTC. */
export function writeAccountEmail(
  mail: ClaimedAccountMail,
  { language, link, expires, timeZone }: Letter,
): OutgoingEmail {
  const { texts, locale } = language;
  const { subject, title, button, footer } = wordsOf(mail, language);
  const until = expires
    ? fill(texts.mailUntil, formatTimeIn(mail.expiresOn, locale, timeZone))
    : null;
  const blocks = [
    title,
    `${fill(texts.mailLabel, button)}\n${link}`,
    ...(until === null ? [] : [until]),
    // what follows is the signature (RFC 3676, section 4.3)
    `-- \n${footer}`,
  ];
  return {
    guid: mail.guid,
    to: mail.email,
    replyTo: null,
    date: mail.createdOn,
    subject,
    text: `${blocks.join('\n\n')}\n`,
    html: writeHtml(language, {
      ...{ subject, button, link, until, footer },
      title: html`${title}`,
      body: null,
      end: null,
    }).markup,
    language: locale,
  };
}
