/** Calls the Encoding API of a portal: token, retries, and what its responses mean for a program. */
import { setTimeout as wait } from 'node:timers/promises';
import { requestAccessToken } from '@recodery/contract/features/clients';
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import { accessTokenHeader } from '@recodery/contract/headers';
import * as z from 'zod/mini';
import { pauseAfter } from '../queue/retry-rules.ts';
import {
  CallRefused,
  CredentialsRefused,
  describeLineFault,
  NoResponse,
  readRetryAfter,
  TryAgain,
} from './remote-faults.ts';

/** The portal's address, and the caller's credentials. */
export interface RemoteAccess {
  /** The address of a portal, or the base address of an Encoding API. */
  readonly url: string;
  readonly clientGuid: string;
  readonly secretKey: string;
}

export interface RemoteOptions {
  /** Seconds for which one call is repeated while the connection is broken. */
  readonly patienceSeconds: number;
  /** Aborts all calls and pauses. */
  readonly stop: AbortSignal;
  /** Receives one message when the connection breaks, and one when it works again. */
  say(text: string): void;
}

/** One call. `path` is relative to the base address. */
export interface RemoteCall {
  readonly verb: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

const pauses = { first: 1, longest: 60 };
/** Milliseconds for one attempt, including its upload or download. */
const attemptMs = 300_000;
const tokenAnswer = z.object({ accessToken: z.string() });

/** A client application of a portal. */
export class RemoteClient {
  readonly #access: RemoteAccess;
  readonly #options: RemoteOptions;
  #base: string | null = null;
  #token: Promise<string> | null = null;
  /** Why the last attempt failed; null while the connection works. */
  #fault: string | null = null;

  constructor(access: RemoteAccess, options: RemoteOptions) {
    this.#access = access;
    this.#options = options;
  }

  /** Gets a token, and returns the base address of the Encoding API. @throws {CredentialsRefused | NoResponse} */
  async connect(): Promise<string> {
    await this.#repeat(() => this.#getToken());
    return this.#base ?? this.#access.url;
  }

  /**
   * Calls, and repeats the call with increasing pauses while the connection is broken. `read` reads the response; if it
   * fails, the call is repeated.
   * @throws {CallRefused} the portal has refused the call
   * @throws {NoResponse} the connection has been broken for too long
   */
  call<T>(call: RemoteCall, read: (response: Response) => Promise<T>): Promise<T> {
    return this.#repeat(async () => {
      const token = this.#getToken();
      try {
        return await this.#send(call, read, await token);
      } catch (error) {
        if (!(error instanceof CallRefused) || error.status !== 401) throw error;
        // expired: the next token is requested once, even for concurrent calls
        if (this.#token === token) this.#token = null;
        return this.#send(call, read, await this.#getToken());
      }
    });
  }

  /** Waits for some seconds, or until everything ends. */
  async pause(seconds: number): Promise<void> {
    await wait(seconds * 1000, undefined, { signal: this.#options.stop });
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    let waited = 0;
    for (let count = 1; ; count += 1) {
      try {
        const answer = await attempt();
        this.#notice(null);
        return answer;
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        // a server may ask for no pause at all and never recover
        const seconds = Math.max(error.afterSeconds ?? 0, pauseAfter(count, pauses));
        waited += seconds;
        if (waited > this.#options.patienceSeconds) throw new NoResponse(error.message);
        if (!error.isBusy) this.#notice(error.message);
        else if (count === 1) this.#options.say(`The portal is busy: ${error.message}. Retrying.`);
        await this.pause(seconds);
      }
    }
  }

  /** Reports a problem once, not each time that it occurs. */
  #notice(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { url } = this.#access;
    this.#options.say(fault === null ? `${url} responds again.` : `${url}: ${fault}. Retrying.`);
  }

  #getToken(): Promise<string> {
    if (this.#token === null) {
      const asked = this.#requestToken();
      this.#token = asked;
      asked.catch(() => {
        if (this.#token === asked) this.#token = null;
      });
    }
    return this.#token;
  }

  /** The first request also determines whether the address belongs to a portal or to an Encoding API. */
  async #requestToken(): Promise<string> {
    const bases = this.#base === null ? findBases(this.#access.url) : [this.#base];
    let refusal: CallRefused | null = null;
    for (const base of bases) {
      try {
        const token = await this.#requestTokenAt(base);
        this.#base = base;
        return token;
      } catch (error) {
        if (!(error instanceof CallRefused)) throw error;
        refusal = error;
      }
    }
    throw new CredentialsRefused(refusal?.status ?? 0, refusal?.code ?? 'NO_TOKEN');
  }

  async #requestTokenAt(base: string): Promise<string> {
    const { clientGuid: clientApplicationGUID, secretKey } = this.#access;
    const call: RemoteCall = {
      verb: 'POST',
      path: requestAccessToken.path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientApplicationGUID, secretKey }),
    };
    const read = async (response: Response): Promise<string> =>
      tokenAnswer.parse(await response.json()).accessToken;
    return this.#send(call, read, null, base);
  }

  /** One attempt. @throws {CallRefused | TryAgain} */
  async #send<T>(
    { verb, path, headers, body }: RemoteCall,
    read: (response: Response) => Promise<T>,
    token: string | null,
    base = this.#base ?? this.#access.url,
  ): Promise<T> {
    const { stop } = this.#options;
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(base + path, {
        method: verb,
        headers: { ...headers, ...(token === null ? {} : { [accessTokenHeader]: token }) },
        body: body ?? null,
        // the token must not be sent to a different address
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(attemptMs)]),
      });
      if (answer.ok) return await read(answer);
      text = await answer.text();
    } catch (error) {
      if (stop.aborted) throw error;
      // a retry would get the same response
      if (error instanceof z.core.$ZodError)
        throw new CallRefused(0, `The server sent an unexpected response to ${verb} ${path}.`);
      throw new TryAgain(describeLineFault(error));
    }
    throw describeRefusal(answer, text);
  }
}

/** The base addresses that an address can mean, the likeliest first. */
function findBases(url: string): readonly string[] {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(encodingApiPrefix) ? [bare] : [bare + encodingApiPrefix, bare];
}

/** Statuses after which the same call can succeed later. 409: an earlier request with the same key is still running. */
const temporary = [408, 409, 425, 429];

function describeRefusal({ status, headers }: Response, text: string): Error {
  const location = headers.get('location');
  if (status >= 300 && status < 400)
    return new CallRefused(status, `the address redirects to ${location}`);
  const code = findCode(text) || `status ${status}`;
  if (status < 500 && !temporary.includes(status)) return new CallRefused(status, code);
  const after = readRetryAfter(headers.get('retry-after'), Date.now());
  return new TryAgain(code, status < 500, after);
}

/** The code of an error response, which is plain text; pages of proxies have none. */
function findCode(text: string): string {
  const line = text.trim();
  return line.length > 200 || /[<\n]/.test(line) ? '' : line;
}
