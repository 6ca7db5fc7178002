/** The client application with which `recodery remote` works on a portal: finds its Encoding API, and retries. */
import { setTimeout as wait } from 'node:timers/promises';
import { encodingApiPrefix } from '@recodery/contract/encoding-api/routes';
import {
  createEncodingApiClient,
  type EncodingApiClient,
  type ServiceAddress,
} from '../encoding-api-client/client.ts';
import {
  CredentialsRefused,
  RequestRefused,
  TokenRefused,
  UnexpectedResponse,
} from '../encoding-api-client/errors.ts';
import type { ApiFile } from '../encoding-api-client/records.ts';
import type { ApiRequest } from '../encoding-api-client/requests.ts';
import { retryWhileUnavailable } from '../encoding-api-client/retry.ts';

export interface RemoteOptions {
  /** Seconds for which one call is repeated while the connection is broken. */
  readonly patienceSeconds: number;
  /** Aborts all calls and pauses. */
  readonly stop: AbortSignal;
  /** Receives one message when the connection breaks, and one when it works again. */
  say(text: string): void;
}

/** Milliseconds. */
const pauses = { first: 1000, longest: 60_000 };
/** Milliseconds for which a request waits, for the response's head and for its body. */
const waitMs = 300_000;
/** Bytes of a file: the largest that a portal can be set to accept. */
const mostFileBytes = 1024 * 2 ** 20;

/** An Encoding API, and its base address. */
interface Found {
  readonly base: string;
  readonly api: EncodingApiClient;
}

/** A client application of a portal. */
export class RemoteClient {
  readonly #access: ServiceAddress;
  readonly #options: RemoteOptions;
  #found: Promise<Found> | null = null;
  /** Why the last attempt failed; null while the connection works. */
  #fault: string | null = null;

  /** `url` is the address of a portal, or the base address of an Encoding API. */
  constructor(access: ServiceAddress, options: RemoteOptions) {
    this.#access = access;
    this.#options = options;
  }

  /** Gets a token, and returns the base address of the Encoding API. @throws as {@link call} */
  connect(): Promise<string> {
    return this.#repeat(async ({ base }) => base);
  }

  /**
   * Sends a request, and repeats it with increasing pauses while the connection is broken. `read` reads the response.
   * @throws {RequestRefused} the portal has refused the call
   * @throws {ServiceUnavailable} the connection has been broken for too long
   */
  call<T>(request: () => ApiRequest, read: (json: unknown) => T): Promise<T> {
    return this.#repeat(async ({ api }) => read(await api.call(request(), this.#options.stop)));
  }

  /** Downloads a file, as {@link call}. */
  download(path: () => string): Promise<ApiFile> {
    return this.#repeat(({ api }) => {
      const wanted = { path: path(), size: null, mostBytes: mostFileBytes };
      return api.download(wanted, this.#options.stop);
    });
  }

  /** Waits for some seconds, or until everything ends. */
  async pause(seconds: number): Promise<void> {
    await wait(seconds * 1000, undefined, { signal: this.#options.stop });
  }

  #repeat<T>(work: (found: Found) => Promise<T>): Promise<T> {
    const { patienceSeconds, stop, say } = this.#options;
    let waited = 0;
    return retryWhileUnavailable(
      {
        pauses,
        signal: stop,
        choosePause(wanted) {
          waited += wanted;
          return waited > patienceSeconds * 1000 ? null : wanted;
        },
        onUnavailable: (fault, attempt) => {
          // the portal works, and asks this one call to wait, such as for an open slot
          const isBusy = fault?.status != null && fault.status < 500;
          if (!isBusy) this.#notice(fault?.word ?? null);
          else if (attempt === 1) say(`The portal is busy: ${fault.word}. Retrying.`);
        },
      },
      async () => {
        try {
          return await work(await this.#find());
        } catch (error) {
          throw asRefusal(error);
        }
      },
    );
  }

  /** Reports a problem once, not each time that it occurs. */
  #notice(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { url } = this.#access;
    this.#options.say(fault === null ? `${url} responds again.` : `${url}: ${fault}. Retrying.`);
  }

  /** Finds the API once, even for concurrent calls; again after a failure. */
  #find(): Promise<Found> {
    if (this.#found === null) {
      const finding = this.#tryBases();
      this.#found = finding;
      finding.catch(() => (this.#found = null));
    }
    return this.#found;
  }

  /** The first base address where the client application gets a token. */
  async #tryBases(): Promise<Found> {
    let refusal = new RequestRefused('NO_TOKEN');
    for (const base of findBases(this.#access.url)) {
      const { stop } = this.#options;
      const api = createEncodingApiClient({ ...this.#access, url: base }, { waitMs, stop });
      try {
        await api.connect(stop);
        return { base, api };
      } catch (error) {
        const fault = asRefusal(error);
        if (!(fault instanceof RequestRefused)) throw fault;
        refusal = fault;
      }
    }
    throw new CredentialsRefused(refusal.message, refusal.status);
  }
}

/** A fault that a retry would not change, as a refusal; any other one as it is. */
function asRefusal(fault: unknown): unknown {
  if (!(fault instanceof UnexpectedResponse)) return fault;
  const Refused = fault instanceof TokenRefused ? CredentialsRefused : RequestRefused;
  return new Refused(fault.word, fault.status);
}

/** A refusal in one phrase: the portal's word for it, and the status. */
export function describeRefusal({ message, status }: RequestRefused): string {
  return status === null ? message : `${message} (status ${status})`;
}

/** The base addresses that an address can mean, the likeliest first. */
function findBases(url: string): readonly string[] {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(encodingApiPrefix) ? [bare] : [bare + encodingApiPrefix, bare];
}
