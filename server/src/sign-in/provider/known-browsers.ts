/**
 * Remembers in a signed cookie that a browser has signed in to an account, so that strangers who guess the account's
 * password or fill the queue do not keep its owner out. The cookie proves nothing else: the password is still needed.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sign, unsign } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../config/clock.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { cookieName, cookieOptions } from '../cookies.ts';

/** Days that a browser is remembered after its last sign-in. */
const knownDays = 180;
/** Accounts that a browser remembers; a workshop's computer is shared. */
const mostAccounts = 8;
const prefix = 'recodery-known-';

/** The accounts that a browser has signed in to. */
export interface KnownBrowsers {
  /** An id of the browser if it has signed in to this account, else null. */
  find(request: FastifyRequest, accountGuid: string): Promise<string | null>;
  /** Remembers that the browser has signed in to the account. */
  remember(request: FastifyRequest, reply: FastifyReply, accountGuid: string): Promise<void>;
}

export interface KnownBrowserDeps {
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  readonly clock: Clock;
  /** The origin that browsers use. */
  readonly publicUrl: string;
}

/** Creates the store; its state is only in the cookie. */
export function createKnownBrowsers({
  secrets,
  clock,
  publicUrl,
}: KnownBrowserDeps): KnownBrowsers {
  const nameOf = (accountGuid: string): string => {
    const hash = createHash('sha256').update(accountGuid).digest('hex');
    return cookieName(prefix + hash.slice(0, 12), publicUrl);
  };
  const getKey = async (): Promise<Buffer> => {
    const { key } = await secrets.getCurrentKey('cookie');
    return createHmac('sha256', key).update('recodery known browser').digest();
  };
  const find: KnownBrowsers['find'] = async (request, accountGuid) => {
    const cookie = request.cookies[nameOf(accountGuid)];
    if (cookie === undefined) return null;
    const { valid, value } = unsign(cookie, await getKey());
    const [account, id = '', signedInOn] = (value ?? '').split('.');
    const age = clock.now().getTime() / 1000 - Number(signedInOn);
    return valid && account === accountGuid && age < knownDays * 86_400 ? id : null;
  };

  return {
    find,
    async remember(request, reply, accountGuid) {
      const name = nameOf(accountGuid);
      const others = Object.keys(request.cookies).filter(
        (one) => one.startsWith(cookieName(prefix, publicUrl)) && one !== name,
      );
      // browsers send the oldest first
      for (const one of others.slice(0, Math.max(0, others.length - mostAccounts + 1)))
        reply.clearCookie(one, cookieOptions(publicUrl));
      const id = (await find(request, accountGuid)) ?? randomBytes(16).toString('base64url');
      const seconds = Math.floor(clock.now().getTime() / 1000);
      reply.setCookie(name, sign(`${accountGuid}.${id}.${seconds}`, await getKey()), {
        ...cookieOptions(publicUrl),
        maxAge: knownDays * 86_400,
      });
    },
  };
}
