/**
 * Sends emails to a mail server, or stores them in the outbox folder when none is configured. The only module that
 * uses SMTP.
 */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config.ts';

/** An email to send. Texts can contain anything: characters that would break a header are removed here. */
export interface OutgoingEmail {
  /** Always the same for one email: it becomes the left part of the Message-ID, and the file name in the outbox. */
  readonly guid: string;
  readonly to: string;
  /** The recipient of replies. If null, replies go to the address that sends all emails. */
  readonly replyTo: { readonly name: string; readonly address: string } | null;
  readonly date: Date;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A language tag, such as `it-IT`. */
  readonly language: string;
}

/** The mail server has refused this email permanently: a retry would get the same response. */
export class EmailRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LetterRefused';
  }
}

/** Where emails go: to a mail server, or, when none is configured, only to the outbox folder. */
export type MailWay = 'mail-server' | 'outbox';

/** Where the emails of a configuration are sent. */
export function mailWayOf({ smtpUrl }: Pick<Config, 'smtpUrl'>): MailWay {
  return smtpUrl === null ? 'outbox' : 'mail-server';
}

/** Sends emails. */
export interface Mailer {
  readonly way: MailWay;
  /**
   * Resolves when the email has been accepted, to the response of the mail server or the file in the outbox. Rejects
   * with {@link EmailRefused}, or with the error of this attempt.
   */
  send(email: OutgoingEmail, signal: AbortSignal): Promise<string>;
}

/** Timeouts in milliseconds: whole connection, server greeting, inactivity. */
const times = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Text for a header: one line, without characters that change the text direction. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function messageOf(email: OutgoingEmail, from: string, host: string): SendMailOptions {
  const { guid, to, replyTo, date, subject, text, html, language } = email;
  return {
    from,
    // an address object is never parsed: it is always one recipient, regardless of its contents
    to: { name: '', address: to },
    ...(replyTo === null ? {} : { replyTo: { ...replyTo, name: oneLine(replyTo.name) } }),
    messageId: `<${guid}@${host}>`,
    date,
    subject: oneLine(subject),
    // with CRLF each line is wrapped separately: a link on its own line stays whole if it fits
    text: text.replaceAll('\n', '\r\n'),
    html: html.replaceAll('\n', '\r\n'),
    textEncoding: 'quoted-printable',
    headers: {
      // suppresses automatic replies (RFC 3834)
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Opens the mailer for a configuration. */
export function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>,
): Mailer {
  const { hostname } = new URL(config.publicUrl);
  const compose = (email: OutgoingEmail): SendMailOptions =>
    messageOf(email, config.mailFrom, hostname);
  return config.smtpUrl === null
    ? createOutbox(join(config.dataDir, 'outbox'), compose)
    : createSmtp(config.smtpUrl, compose);
}

/**
 * Whether a mail server needs a valid certificate. If plain text is also allowed and no password is sent, encryption
 * with an untrusted certificate is better than none (RFC 7435).
 */
function mustProve(url: string): boolean {
  const { protocol, username, searchParams } = new URL(url);
  return protocol === 'smtps:' || username !== '' || searchParams.get('requireTLS') === 'true';
}

function openTransport(url: string) {
  return createTransport({ url, ...times, tls: { rejectUnauthorized: mustProve(url) } });
}

/** Connects to the mail server and signs in, without sending an email. Rejects with the error. */
export async function greetMailServer(url: string): Promise<void> {
  const transport = openTransport(url);
  await transport.verify().finally(() => transport.close());
}

function createSmtp(url: string, compose: (email: OutgoingEmail) => SendMailOptions): Mailer {
  const transport = openTransport(url);
  return {
    way: 'mail-server',
    async send(email, signal) {
      const { response } = await transport
        .sendMail({ ...compose(email), signal })
        .catch((error: unknown) => {
          throw isFinal(error) ? new EmailRefused(String(error)) : error;
        });
      return response;
    },
  };
}

/**
 * Whether a reply of class 5 was about this email’s recipient or content (RFC 5321, section 4.2.1). A reply about
 * anything else (greeting, sign-in, our own address) points to a configuration problem that can be fixed.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error))
    return false;
  const { responseCode, command } = error;
  const isAboutEmail = command === 'RCPT TO' || command === 'DATA';
  return isAboutEmail && typeof responseCode === 'number' && responseCode >= 500;
}

function createOutbox(folder: string, compose: (email: OutgoingEmail) => SendMailOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    way: 'outbox',
    async send(email) {
      const { message } = await transport.sendMail(compose(email));
      if (!Buffer.isBuffer(message)) throw new Error('the email was not composed into a buffer');
      await mkdir(folder, { recursive: true });
      const aside = join(folder, `.${email.guid}.part`);
      const file = await open(aside, 'w', 0o600);
      await file
        .writeFile(message)
        .then(() => file.sync())
        .finally(() => file.close());
      const place = join(folder, `${email.guid}.eml`);
      await rename(aside, place);
      return place;
    },
  };
}
