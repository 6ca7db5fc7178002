/** Hands letters to a mail server, or lays them into the outbox folder where there is none. The only file that knows how mail travels. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config.ts';

/** A letter as it is to be sent. Texts may hold anything: what would break a header is taken out here. */
export interface Letter {
  /** Of one letter always the same; in it the left part of the Message-ID, and the file's name in the outbox. */
  readonly guid: string;
  readonly to: string;
  /** Whoever is answered to; null: nobody but the sender of all mails. */
  readonly replyTo: { readonly name: string; readonly address: string } | null;
  readonly date: Date;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A language tag, such as `it-IT`. */
  readonly language: string;
}

/** The mail server has said no to this letter for good: to send it again would be answered the same. */
export class LetterRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LetterRefused';
  }
}

/** Where letters go: to a mail server, or, where there is none, into the outbox folder and no further. */
export type MailWay = 'mail-server' | 'outbox';

/** Where the letters of a configuration go. */
export function mailWayOf({ smtpUrl }: Pick<Config, 'smtpUrl'>): MailWay {
  return smtpUrl === null ? 'outbox' : 'mail-server';
}

/** The way out for letters. */
export interface Postman {
  readonly way: MailWay;
  /** Resolves when the letter is in other hands. Rejects with {@link LetterRefused}, or with what went wrong this time. */
  send(letter: Letter, signal: AbortSignal): Promise<void>;
}

/** Milliseconds: connecting in all, the server's greeting, silence in between. */
const times = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Text for a header: one line, and nothing that turns the direction of what follows. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function messageOf(letter: Letter, from: string, host: string): SendMailOptions {
  const { guid, to, replyTo, date, subject, text, html, language } = letter;
  return {
    from,
    // an address object is never parsed: it stays one recipient, whatever stands in it
    to: { name: '', address: to },
    ...(replyTo === null ? {} : { replyTo: { ...replyTo, name: oneLine(replyTo.name) } }),
    messageId: `<${guid}@${host}>`,
    date,
    subject: oneLine(subject),
    // with CRLF each line is wrapped by itself: a link on a line of its own is not broken when it fits
    text: text.replaceAll('\n', '\r\n'),
    html: html.replaceAll('\n', '\r\n'),
    textEncoding: 'quoted-printable',
    headers: {
      // nobody's holiday reply shall come back (RFC 3834)
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Opens the way out that the configuration names. */
export function openPostman(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>,
): Postman {
  const { hostname } = new URL(config.publicUrl);
  const compose = (letter: Letter): SendMailOptions => messageOf(letter, config.mailFrom, hostname);
  return config.smtpUrl === null
    ? createOutbox(join(config.dataDir, 'outbox'), compose)
    : createSmtp(config.smtpUrl, compose);
}

/**
 * Whether a mail server must prove who it is. Where it may also be spoken to in the clear and is told no password, an
 * encryption with a certificate that nobody knows is better than none (RFC 7435).
 */
function mustProve(url: string): boolean {
  const { protocol, username, searchParams } = new URL(url);
  return protocol === 'smtps:' || username !== '' || searchParams.get('requireTLS') === 'true';
}

function openTransport(url: string) {
  return createTransport({ url, ...times, tls: { rejectUnauthorized: mustProve(url) } });
}

/** Greets the mail server and signs in to it, without a letter. Rejects with what went wrong. */
export async function greetMailServer(url: string): Promise<void> {
  const transport = openTransport(url);
  await transport.verify().finally(() => transport.close());
}

function createSmtp(url: string, compose: (letter: Letter) => SendMailOptions): Postman {
  const transport = openTransport(url);
  return {
    way: 'mail-server',
    async send(letter, signal) {
      await transport.sendMail({ ...compose(letter), signal }).catch((error: unknown) => {
        throw isFinal(error) ? new LetterRefused(String(error)) : error;
      });
    },
  };
}

/**
 * Whether a reply of class 5 was to this letter's recipient or content (RFC 5321, section 4.2.1). One to anything else
 * (greeting, sign-in, our own address) is about the way there, which somebody will mend.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error))
    return false;
  const { responseCode, command } = error;
  const isAboutLetter = command === 'RCPT TO' || command === 'DATA';
  return isAboutLetter && typeof responseCode === 'number' && responseCode >= 500;
}

function createOutbox(folder: string, compose: (letter: Letter) => SendMailOptions): Postman {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    way: 'outbox',
    async send(letter) {
      const { message } = await transport.sendMail(compose(letter));
      if (!Buffer.isBuffer(message)) throw new Error('the letter was not composed into a buffer');
      await mkdir(folder, { recursive: true });
      const aside = join(folder, `.${letter.guid}.part`);
      const file = await open(aside, 'w', 0o600);
      await file
        .writeFile(message)
        .then(() => file.sync())
        .finally(() => file.close());
      await rename(aside, join(folder, `${letter.guid}.eml`));
    },
  };
}
