/**
 * The parts of a browser that a sign-in needs: it stores cookies by path, does not follow redirects automatically, and
 * sends forms.
 */

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** The response of a page or call. */
export interface Seen {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The target of a redirect, or the empty string. */
  readonly location: string;
}

/** How a request reaches a server; `url` is absolute. */
export type Transport = (url: URL, init: RequestInit) => Promise<Response>;

/** A browser with its own cookies. */
export class Browser {
  /** By name and path. */
  readonly cookies = new Map<string, Cookie>();
  readonly #base: string;
  readonly #transport: Transport;

  constructor(base: string, transport: Transport = (url, init) => fetch(url, init)) {
    this.#base = base;
    this.#transport = transport;
  }

  async send(address: string, init: RequestInit = {}): Promise<Seen> {
    const url = new URL(address, this.#base);
    const cookie = [...this.cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    const answer = await this.#transport(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.#keep(line, url);
    return {
      status: answer.status,
      text: await answer.text(),
      headers: answer.headers,
      location: answer.headers.get('location') ?? '',
    };
  }

  get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.send(address, { headers });
  }

  post(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.send(address, { method: 'POST', headers });
  }

  submit(address: string, fields: Readonly<Record<string, string>>): Promise<Seen> {
    return this.send(address, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Follows redirects until there is a different response, or the address starts with `stopAt`. */
  async follow(seen: Seen, stopAt = 'nowhere'): Promise<{ address: string; seen: Seen }> {
    let address = new URL(seen.location, this.#base).href;
    for (let step = 0; step < 10; step += 1) {
      const { pathname } = new URL(address);
      if (pathname.startsWith(stopAt)) return { address, seen };
      const next = await this.get(address);
      if (next.location === '') return { address, seen: next };
      address = new URL(next.location, address).href;
    }
    throw new Error('the redirects circle');
  }

  #keep(line: string, url: URL): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    const expires = /expires=([^;]+)/i.exec(line)?.[1];
    const isGone = value === '' || (expires !== undefined && Date.parse(expires) < Date.now());
    const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? url.pathname;
    const key = `${name} ${path}`;
    if (isGone || /max-age=0/i.test(line)) this.cookies.delete(key);
    else this.cookies.set(key, { name, value, path });
  }
}
