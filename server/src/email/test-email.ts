/** Sends one email to see what the mail server responds. It has no row in an outbox, and is not retried. */
import { html } from '../http/pages/plain-page.ts';
import { newGuid } from '../config/guids.ts';
import { negotiateLanguage } from '../texts/texts.ts';
import { writeHtml } from './email-layout.ts';
import { describeError, sendingMs } from './email-queue.ts';
import type { Mailer, OutgoingEmail } from './smtp.ts';

/** Who gets the email, and in which language. */
export interface TestEmailAsk {
  readonly to: string;
  readonly culture: string | null;
  /** The origin that browsers use; the email links to it. */
  readonly publicUrl: string;
}

function writeTestEmail({ to, culture, publicUrl }: TestEmailAsk): OutgoingEmail {
  const language = negotiateLanguage(undefined, [culture ?? 'en-US']);
  const { texts, locale } = language;
  const parts = { subject: texts.testMailSubject, button: texts.testMailButton, link: publicUrl };
  const footer = texts.testMailFooter;
  return {
    guid: newGuid(),
    to,
    replyTo: null,
    date: new Date(),
    subject: parts.subject,
    text: `${texts.testMailIntro}\n\n${publicUrl}\n\n-- \n${footer}\n`,
    html: writeHtml(language, {
      ...parts,
      title: html`${texts.testMailIntro}`,
      body: null,
      until: null,
      end: null,
      footer,
    }).markup,
    language: locale,
  };
}

/** What became of a test email, and a sentence about it. */
export interface TestEmailResult {
  readonly outcome: 'accepted' | 'stored' | 'failed';
  /** The mail server's own words; the file if no mail server is configured. */
  readonly response: string;
  readonly text: string;
}

/** Sends a test email, and waits for the response of the mail server. */
export async function sendTestEmail(mailer: Mailer, ask: TestEmailAsk): Promise<TestEmailResult> {
  try {
    const answer = await mailer.send(writeTestEmail(ask), AbortSignal.timeout(sendingMs));
    if (mailer.way === 'outbox') {
      const text = `No mail server is configured. The email to ${ask.to} was stored as ${answer}. Set RECODERY_SMTP_URL to send emails.`;
      return { outcome: 'stored', response: answer, text };
    }
    const response = describeError(answer);
    const text = `The mail server has accepted the email to ${ask.to}: ${response}`;
    return { outcome: 'accepted', response, text };
  } catch (error) {
    const response = describeError(error);
    const text = `The email to ${ask.to} was not sent: ${response}. Check RECODERY_SMTP_URL and RECODERY_MAIL_FROM.`;
    return { outcome: 'failed', response, text };
  }
}
