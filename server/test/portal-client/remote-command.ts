/** `recodery remote` with a folder and the secret of a client application. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { callProgram } from '../fixtures/command.ts';
import type { AddedClient } from '../fixtures/running-portal.ts';

const ownProgram: readonly string[] = [
  resolve(import.meta.dirname, '../../../recodery.mjs'),
  'remote',
];

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly complaint: string;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  readonly said: { out: string; complaint: string };
  readonly ended: Promise<Ended>;
}

/** The fields of `NAME.recodery.json` that the tests read. */
export interface WrittenRecord {
  readonly outcome: string;
  readonly slot: string;
  readonly read: { readonly sha256: string };
  readonly decode: { readonly error: string | null; readonly files: readonly WrittenFile[] };
  readonly encodes: readonly {
    readonly outcome: string;
    readonly error: string | null;
    readonly file: WrittenFile | null;
  }[];
  readonly previous: readonly unknown[];
}
interface WrittenFile {
  readonly file: string;
  readonly sha256: string;
}

/** A folder, and the command with the access of a client application. Call `stop` at the end. */
export class RemoteCommand {
  readonly folder: string;
  readonly #access: readonly string[];
  readonly #program: readonly string[];
  readonly #running = new Set<ChildProcess>();

  constructor(folder: string, access: readonly string[], program = ownProgram) {
    this.folder = folder;
    this.#access = access;
    this.#program = program;
  }

  start(...words: readonly string[]): Running {
    const child = spawn(process.execPath, [...this.#program, ...words, ...this.#access], {
      // in its own process group, as a terminal would start it
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
    });
    this.#running.add(child);
    const said = { out: '', complaint: '' };
    child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (said.complaint += part.toString()));
    const ended = once(child, 'close').then(([code]) => {
      this.#running.delete(child);
      return { code: code as number | null, ...said };
    });
    return { child, said, ended };
  }

  /** Runs a command that ends: our own program in this process. */
  run(...words: readonly string[]): Promise<Ended> {
    if (this.#program !== ownProgram) return this.start(...words).ended;
    return callProgram(['remote', ...words, ...this.#access], { PATH: '/usr/bin:/bin' });
  }

  watch(...options: readonly string[]): Running {
    return this.start('watch', this.folder, ...options);
  }

  write(name: string, bytes: Uint8Array | string): Promise<void> {
    return writeFile(join(this.folder, name), bytes);
  }

  read(name: string): Promise<Buffer> {
    return readFile(join(this.folder, name));
  }

  list(): Promise<string[]> {
    return readdir(this.folder);
  }

  /** The record of a name; null when there is none. */
  async record(name: string): Promise<WrittenRecord | null> {
    const text = await this.read(`${name}.recodery.json`).catch(() => null);
    return text === null ? null : (JSON.parse(text.toString()) as WrittenRecord);
  }

  /** Waits for an outcome, and returns the record. */
  async waitFor(name: string, outcome: string, encodes = 0): Promise<WrittenRecord> {
    return vi.waitFor(
      async () => {
        const record = await this.record(name);
        if (record?.outcome === outcome && record.encodes.length >= encodes) return record;
        throw new Error(`${name}: ${JSON.stringify(record)} is not ${outcome}`);
      },
      { timeout: 240_000, interval: 100 },
    );
  }

  async stop(): Promise<void> {
    const gone = [...this.#running].map((child) => once(child, 'close'));
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all(gone);
    await rm(this.folder, { recursive: true, force: true });
    const secret = this.#access.at(-1);
    if (secret !== undefined) await rm(secret, { force: true });
  }
}

/** The command for a client application of the portal at `url`. `program`: the script, and its first words. */
export async function openRemote(
  url: string,
  { guid, secretKey }: Pick<AddedClient, 'guid' | 'secretKey'>,
  program?: readonly string[],
): Promise<RemoteCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-remote-'));
  const secret = `${folder}.secret`;
  await writeFile(secret, `${secretKey}\n`);
  const access = ['--url', url, '--client', guid, '--secret-file', secret];
  return new RemoteCommand(folder, access, program);
}
