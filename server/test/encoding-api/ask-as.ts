/** Sends a request for a different host, which fetch does not allow. */
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type Program, tokenHeader } from './program.ts';

/** A request to send; a body is sent as JSON. */
interface Asking {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Got {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** Calls a program's portal, with the program's token, as if it had this host. */
export function askAs(program: Program, host: string, asking: Asking): Promise<Got> {
  const { method = 'GET', path, headers = {}, body } = asking;
  const { hostname, port } = new URL(program.base);
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const all = { host, [tokenHeader]: program.token, ...type, ...headers };
  request({ host: hostname, port, method, path, headers: all }, async (incoming) => {
    resolve({
      status: incoming.statusCode,
      type: incoming.headers['content-type'],
      text: await readText(incoming),
    });
  })
    .on('error', reject)
    .end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
