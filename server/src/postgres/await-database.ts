/** Opens a database that may still be starting, recovering or failing over: waits for it, and explains what is wrong. */
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '../config/cannot-start.ts';
import type { Log } from '../config/log.ts';
import { DatabaseUnavailable, nameLoss } from './unavailable.ts';

export interface AwaitOptions {
  readonly url: string;
  readonly log: Log;
  /** Seconds to wait for the database. */
  readonly patience: number;
  /** Ends the wait: its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between two attempts; each failed one is logged. */
const pause = 1000;
/** PostgreSQL's codes for a wrong user or password, a missing database, and missing rights. */
const wrongAddress = /^(28\w{3}|3D000|42501)$/;
/** Node's codes for a certificate that is not trusted or not valid. */
const wrongCertificate = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Runs `open` until the database is available, once a second. `open` must be repeatable: a database may also vanish
 * while it is opened.
 * @throws {CannotStart} when the database is not available in time, or cannot be used with this address
 */
export async function awaitDatabase<T>(
  { url, log, patience, signal }: AwaitOptions,
  open: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + patience * 1000;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await open();
    } catch (reason) {
      const error = nameLoss(reason);
      if (!(error instanceof DatabaseUnavailable)) throw explain(error, url);
      if (performance.now() > end) throw describeAbsence(error, url, patience);
      log.warn({ reason: error.message }, 'waiting for the database');
    }
    await wait(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** Which database on which server, without user and password. */
function describePlace(url: string): string {
  const { hostname, host, pathname, searchParams } = new URL(url);
  const named = searchParams.get('host') ?? decodeURIComponent(hostname === '' ? '' : host);
  return `The database ${decodeURIComponent(pathname.slice(1))} at ${named}`;
}

function describeAbsence(
  { message }: DatabaseUnavailable,
  url: string,
  patience: number,
): CannotStart {
  return new CannotStart(
    `${describePlace(url)} did not become available within ${patience} seconds (${message.replace(/^.*?: /, '')}). Check that PostgreSQL is running and accepts connections.`,
  );
}

/** The one line for an address that cannot work; any other error is an internal one. */
function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (!wrongAddress.test(code) && !wrongCertificate.test(code)) return error;
  return new CannotStart(
    `${describePlace(url)} cannot be used (${error.message}). Check RECODERY_DATABASE_URL and the rights of its user.`,
  );
}
