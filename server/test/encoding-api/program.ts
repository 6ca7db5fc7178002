/** A client program of the Encoding API, written like existing ones: paths, names and headers are literals. */
import type { AddedClient, RunningPortal } from '../fixtures/running-portal.ts';

/** What a call returned. `json` is null where the body is not JSON. */
export interface Returned {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown> | null;
}

/** An operation record. */
export interface ProgramOperation {
  readonly guid: string;
  readonly slotGUID: string;
  readonly isCompleted: boolean;
  readonly isSuccessful: boolean;
  readonly hasFailed: boolean;
  readonly error: { readonly errorName: string; readonly detail: string | null } | null;
  // programs read results by the names of fields
  readonly result: Record<string, string> & {
    readonly bootBenchComponents: { type: string; decodedFileURL: string }[];
    readonly components: { type: string; decodedFileURL: string }[];
  };
  readonly [field: string]: unknown;
}

/** A file part of a form. */
export interface FilePart {
  readonly field: string;
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export const tokenHeader = 'X-Alientech-ReCodAPI-LLC';

/** A client application with its base address and token. */
export class Program {
  readonly base: string;
  readonly clientGuid: string;
  readonly secretKey: string;
  readonly token: string;
  readonly #portal: RunningPortal;

  constructor(portal: RunningPortal, { guid, secretKey, client }: AddedClient, base?: string) {
    this.#portal = portal;
    this.base = base ?? `${portal.url}/encoding-api`;
    this.clientGuid = guid;
    this.secretKey = secretKey;
    this.token = client.sessionId;
  }

  /** Calls a path under the base address, or an absolute address from a result. */
  async call(method: string, path: string, init: RequestInit = {}): Promise<Returned> {
    const headers = new Headers(init.headers);
    if (!headers.has(tokenHeader)) headers.set(tokenHeader, this.token);
    const address = path.startsWith('http') ? path : this.base + path;
    const answer = await fetch(address, { ...init, method, headers });
    const type = answer.headers.get('content-type');
    const text = await answer.text();
    const isJson = type?.startsWith('application/json') === true && text !== '';
    return {
      status: answer.status,
      type,
      headers: answer.headers,
      text,
      json: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
    };
  }

  get(path: string): Promise<Returned> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown): Promise<Returned> {
    const headers = { 'content-type': 'application/json' };
    return this.call('POST', path, {
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a file in a form. */
  send(method: 'POST' | 'PUT', path: string, file: FilePart): Promise<Returned> {
    const form = new FormData();
    form.append(file.field, new Blob([new Uint8Array(file.bytes)]), file.name ?? 'file.bin');
    for (const [name, value] of Object.entries(file.fields ?? {})) form.append(name, value);
    return this.call(method, path, { body: form });
  }

  /** Sends a read file; `path` is the decode call with its query. */
  decode(path: string, bytes: Uint8Array, parts: Partial<FilePart> = {}): Promise<Returned> {
    return this.send('POST', path, { field: 'readFile', bytes, name: 'read.tfc', ...parts });
  }

  /** The record of an operation that was started, once it has finished. */
  async finish(started: Returned): Promise<ProgramOperation> {
    if (started.status !== 200) throw new Error(`${started.status} ${started.text}`);
    const { guid } = started.json as unknown as ProgramOperation;
    const ended = Promise.withResolvers<ProgramOperation>();
    const look = async (): Promise<void> => {
      const { json } = await this.get(`/api/async-operations/${guid}`);
      const record = json as unknown as ProgramOperation;
      if (record.isCompleted) ended.resolve(record);
    };
    const stop = this.#portal.platform.announce.subscribe((announcement) => {
      if (announcement.kind === 'operation' && announcement.guid === guid) {
        look().catch(ended.reject);
      }
    });
    await look();
    return ended.promise.finally(stop);
  }

  /** The record of an operation that succeeds. */
  async succeed(started: Returned): Promise<ProgramOperation> {
    const ended = await this.finish(started);
    if (ended.error !== null) throw new Error(JSON.stringify(ended.error));
    return ended;
  }

  /** The name and the bytes at an address of a result, or at a path. */
  async download(path: string | undefined): Promise<{ name: string; bytes: Uint8Array }> {
    const { status, text, json } = await this.get(path ?? '');
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    const { name, data } = json as { name: string; data: string };
    return { name, bytes: Buffer.from(data, 'base64') };
  }

  /** Uploads a file that is accepted; returns its GUID. */
  async keep(path: string, bytes: Uint8Array): Promise<string> {
    const { status, text, json } = await this.send('PUT', path, { field: 'file', bytes });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return String(json?.['guid']);
  }
}

/** A new client application of an organisation. */
export async function addProgram(portal: RunningPortal, customerCode = 'CC-1001', base?: string) {
  return new Program(portal, await portal.addClient({ customerCode }), base);
}
