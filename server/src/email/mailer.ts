/** The worker's loop for emails: claims due emails, sends them, and records each result. */
import { pathOf } from '@recodery/contract/api';
import { sharePage } from '@recodery/contract/share';
import type { Kysely } from 'kysely';
import type { Announce } from '../postgres/announce.ts';
import type { Clock } from '../config/clock.ts';
import type { Log } from '../config/log.ts';
import { LetterRefused, type Mailer } from './smtp.ts';
import type { Database } from '../postgres/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { writeLetter } from './letter.ts';
import { retryMail } from './retry-rules.ts';
import {
  type ClaimedMail,
  claimMails,
  claimSeconds,
  type EmailNews,
  failMail,
  markSent,
  postpone,
} from './emails.ts';
import { getToken } from './link-token.ts';

/** Milliseconds between two polls for due emails, when no announcement arrives earlier. */
const lookInterval = 2000;
/** Emails sent concurrently. */
const mailsAtOnce = 4;
/** Milliseconds before sending times out: well before another process can claim the email. */
const sendingMs = (claimSeconds - 10) * 1000;
/** Characters of an error that are stored. */
const longestError = 500;
/** Milliseconds that emails in progress have when the worker stops. */
const endingMs = 5000;

export interface DeliveryDependencies {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly news: EmailNews;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** The time zone that emails show in addition to UTC, such as `Europe/Rome`. */
  readonly timeZone: string;
}

export interface Delivery {
  /** Stops claiming, and waits a limited time for emails in progress. */
  stop(): Promise<void>;
}

interface Loop {
  readonly deps: DeliveryDependencies;
  readonly underway: Set<Promise<void>>;
  readonly ending: AbortController;
  looking: Promise<void> | null;
  mustLookAgain: boolean;
  isStopping: boolean;
}

/** Starts the loop. It never throws: failures are logged and retried. */
export function startDelivery(deps: DeliveryDependencies): Delivery {
  const loop: Loop = {
    deps,
    underway: new Set(),
    ending: new AbortController(),
    looking: null,
    mustLookAgain: false,
    isStopping: false,
  };
  const wake = (): void => look(loop);
  const unsubscribe = deps.announce.subscribe(({ kind }) => {
    if (kind === 'mail-due') wake();
  }, wake);
  const timer = setInterval(wake, lookInterval);
  wake();
  return {
    async stop() {
      loop.isStopping = true;
      unsubscribe();
      clearInterval(timer);
      await loop.looking;
      const limit = setTimeout(() => loop.ending.abort(), endingMs);
      await Promise.all(loop.underway);
      clearTimeout(limit);
    },
  };
}

/** Claims due emails; a call during a poll triggers one more poll. */
function look(loop: Loop): void {
  loop.mustLookAgain = true;
  loop.looking ??= claimWhatFits(loop)
    .catch((error: unknown) => loop.deps.log.warn({ error }, 'no mail could be claimed'))
    .finally(() => {
      loop.looking = null;
    });
}

async function claimWhatFits(loop: Loop): Promise<void> {
  while (loop.mustLookAgain) {
    loop.mustLookAgain = false;
    const free = mailsAtOnce - loop.underway.size;
    if (free <= 0 || loop.isStopping) return;
    for (const mail of await claimMails(loop.deps.db, free)) {
      const done = deliver(loop, mail).finally(() => {
        loop.underway.delete(done);
        look(loop);
      });
      loop.underway.add(done);
    }
  }
}

/** Sends one email and records the result; if recording fails too, the claim expires. */
async function deliver({ deps, ending }: Loop, mail: ClaimedMail): Promise<void> {
  const log = deps.log.child({ mail: mail.guid, attempt: mail.attempt });
  await send(deps, mail, ending.signal)
    .then(
      async () => {
        const { way } = deps.mailer;
        await markSent(deps.db, mail, way, deps.news);
        log.info(
          way === 'outbox'
            ? 'the mail lies in the outbox: there is no mail server'
            : 'the mail server has taken the mail',
        );
      },
      async (error: unknown) => {
        if (!ending.signal.aborted) await decide(deps, mail, error, log);
      },
    )
    .catch((error: unknown) =>
      log.error({ error }, 'what became of a mail could not be written down'),
    );
}

async function send(
  deps: DeliveryDependencies,
  mail: ClaimedMail,
  ending: AbortSignal,
): Promise<void> {
  const token = await getToken(deps.secrets, mail.guid, mail.shareKeyId);
  const link = `${deps.publicUrl}${pathOf(sharePage, { token })}`;
  const language = chooseLanguage(undefined, [mail.culture]);
  const letter = writeLetter(mail, language, link, deps.timeZone);
  const signal = AbortSignal.any([ending, AbortSignal.timeout(sendingMs)]);
  await deps.mailer.send(letter, signal);
}

/** An error in one line, for the row: any response of a mail server can be stored this way. */
function sayError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestError)
    .toWellFormed();
}

async function decide(
  deps: DeliveryDependencies,
  mail: ClaimedMail,
  error: unknown,
  log: Log,
): Promise<void> {
  if (error instanceof LetterRefused) {
    log.warn({ error }, 'the mail was refused');
    return failMail(deps.db, mail, 'refused', sayError(error), deps.news);
  }
  const retry = retryMail(mail.attempt, mail.createdOn, deps.clock.now());
  log.warn({ error, retry }, 'the mail could not be sent');
  return retry.decision === 'fail'
    ? failMail(deps.db, mail, 'undeliverable', sayError(error), deps.news)
    : postpone(deps.db, mail, retry.afterSeconds, sayError(error));
}
