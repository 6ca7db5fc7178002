/** A real mail server for tests, which parses the emails that it receives. */
import { SMTPServer } from 'smtp-server';
import { freePort } from '../fixtures/free-port.ts';

/** A received email. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The complete source, header and body. */
  readonly source: string;
  /** The value of a header, unfolded, or null. */
  header(name: string): string | null;
  /** The decoded text of the part with this type. */
  part(type: 'text/plain' | 'text/html'): string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  readonly emails: readonly ReceivedMail[];
  /** The next email that no call has returned yet. */
  next(): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  /**
   * The port of a server that was stopped; by default a port that no other program uses, also after this server has
   * stopped.
   */
  readonly port?: number;
  /** The reply to a recipient, such as 550; by default it is accepted. */
  readonly refuse?: (recipient: string) => number | null;
  /** Called when an email has arrived, before it is acknowledged. */
  readonly onReceived?: (mail: ReceivedMail) => Promise<void>;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const emails: ReceivedMail[] = [];
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  let taken = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const code = options.refuse?.(address) ?? null;
      if (code === null) callback();
      else
        callback(
          Object.assign(new Error(`not \u0000here${'!'.repeat(400)}`), { responseCode: code }),
        );
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        const mail = readMail(Buffer.concat(pieces).toString('utf8'), from, to);
        emails.push(mail);
        Promise.resolve(options.onReceived?.(mail)).then(() => {
          callback();
          notifyWaiting();
        }, callback);
      });
    },
  });
  // some tests are about clients that die midway
  server.on('error', () => undefined);
  const notifyWaiting = (): void => {
    while (waiting.length > 0 && taken < emails.length) {
      const mail = emails[taken];
      if (mail !== undefined) waiting.shift()?.(mail);
      taken += 1;
    }
  };
  const port = options.port ?? (await freePort());
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    emails,
    next() {
      const { promise: coming, resolve: arrive } = Promise.withResolvers<ReceivedMail>();
      waiting.push(arrive);
      notifyWaiting();
      return coming;
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
      }),
  };
}

/** Parses an email with two parts, as specified by RFC 2045 to 2047. */
export function readMail(source: string, from: string, to: readonly string[]): ReceivedMail {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const header = (name: string): string | null => {
    const found = new RegExp(`^${name}:((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1];
    return found === undefined ? null : decodeWords(found.replace(/\r?\n[ \t]/g, ' ').trim());
  };
  return {
    from,
    to,
    source,
    header,
    part(type) {
      const boundary = /boundary="?([^";]+)"?/.exec(header('content-type') ?? '')?.[1] ?? '';
      const part = source
        .split(`--${boundary}`)
        .find((one) => one.toLowerCase().includes(`content-type: ${type}`));
      if (part === undefined) throw new Error(`the mail has no ${type}`);
      if (!/content-transfer-encoding: quoted-printable/i.test(part)) {
        throw new Error(`${type} is not quoted-printable`);
      }
      const body = part.slice(part.search(/\r?\n\r?\n/)).replace(/^\r?\n\r?\n/, '');
      return decodeQuotedPrintable(body);
    },
  };
}

/** The path of the public page to which an email links. */
export function sharePathIn(mail: ReceivedMail): string {
  const path = /\/r\/[\w%-]+/.exec(mail.part('text/plain'))?.[0];
  if (path === undefined) throw new Error('the email has no link to a public page');
  return path;
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/[ \t]+(?=\r?\n)/g, '')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

/** Decodes the encoded words of a header; adjacent ones form a single text. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, coded: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : decodeQuotedPrintable(coded.replaceAll('_', ' ')),
    );
}
