/**
 * Records what a product of the journeys receives, sends, logs and runs: it collects every secret, and every text that
 * must not contain one. `secrets.e2e.ts` compares them at the end.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { findSecrets, type Secret } from './find-secrets.ts';

/** The files with texts that must not contain a secret. */
export const searchedFiles = ['log', 'errors', 'processes'] as const;

/** Characters that are searched again with the next part: a secret may be split between two parts. */
const overlap = 8192;

/** The first part of a call or of its response: no secret continues in it. */
const start = /^(?:HTTP\/1\.1 \d{3} |[A-Z]+ \/\S* HTTP\/1\.1\r\n)/;

/** One product's recording. */
export class Recorder {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #commands = new Set<string>();

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
  }

  /** Adds to a text that must not contain a secret. */
  write(to: (typeof searchedFiles)[number], text: string): void {
    appendFileSync(join(this.#folder, to), text);
  }

  /** Adds a command line or an environment; each is written once. */
  writeProcess(text: string): void {
    if (this.#commands.has(text)) return;
    this.#commands.add(text);
    this.write('processes', `${text}\n`);
  }

  /** Adds secrets. */
  know(secrets: readonly Secret[]): void {
    for (const secret of secrets) {
      if (this.#known.has(secret.value)) continue;
      this.#known.add(secret.value);
      appendFileSync(join(this.#folder, 'secrets'), `${JSON.stringify(secret)}\n`);
    }
  }

  /**
   * Listens on a port that forwards every connection unchanged to another; returns its number and a function that stops
   * it.
   */
  async listen(target: number): Promise<{ readonly port: number; close(): Promise<void> }> {
    const open = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(socket);
        socket.pipe(other);
        socket.on('error', () => other.resetAndDestroy());
        socket.on('close', () => {
          open.delete(socket);
          if (!other.writableEnded) other.destroy();
        });
      }
      this.#listenTo(near, far);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    return {
      port: typeof address === 'object' && address !== null ? address.port : 0,
      close: () => {
        for (const socket of open) socket.destroy();
        return new Promise((done) => server.close(() => done()));
      },
    };
  }

  #listenTo(near: Socket, far: Socket): void {
    let call = '';
    let error = '';
    const finishError = (): void => {
      // the forms of a page lead to its own address
      const shown = error.replace(/ (?:action|data-options)="[^"]*"/g, '');
      if (error !== '') this.write('errors', `${shown}\n`);
      error = '';
    };
    const readCall = this.#reader();
    const readAnswer = this.#reader();
    near.on('data', (part: Buffer) => {
      const text = part.toString('latin1');
      readCall(text);
      // a connection has one call at a time
      call = /^([A-Z]+ \/[^\s?]*)\S* HTTP\/1/.exec(text)?.[1]?.replace(/[^/]{20,}/g, '-') ?? call;
    });
    far.on('data', (part: Buffer) => {
      const text = part.toString('latin1');
      readAnswer(text);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status !== undefined) finishError();
      if (error !== '') error += text;
      // its headers are the same as for every response: they may renew the session
      else if (status !== undefined && Number(status) >= 400)
        error = `${call}: ${status}${text.slice(text.indexOf('\r\n\r\n'))}`;
    });
    far.on('close', finishError);
  }

  #reader(): (text: string) => void {
    let rest = '';
    return (text) => {
      const all = start.test(text) ? text : rest + text;
      this.know(findSecrets(all));
      rest = all.slice(-overlap);
    };
  }
}
