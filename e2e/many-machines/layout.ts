/**
 * How the processes of a product are laid out: everything embedded in one, or two portals behind a plain proxy and two
 * workers on one PostgreSQL, with the files in a shared folder or in an object store.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { startPlainProxy } from './proxy.ts';

/** The layouts with many machines. */
export const layouts = ['folder', 's3'] as const;
export type Layout = (typeof layouts)[number];

/** The additional settings of the product's processes. */
export interface OpenLayout {
  /** The settings that all processes and commands share. */
  readonly common: Readonly<Record<string, string>>;
  /** The settings of each process. */
  readonly processes: readonly Readonly<Record<string, string>>[];
  stop(): Promise<void>;
}

/** The layout that RECODERY_E2E_LAYOUT names; null: one process. */
export function chosenLayout(): Layout | null {
  const name = process.env['RECODERY_E2E_LAYOUT'];
  if (name === undefined) return null;
  const known = layouts.find((one) => one === name);
  if (known === undefined) throw new Error(`RECODERY_E2E_LAYOUT must be ${layouts.join(' or ')}`);
  return known;
}

/** Starts what the processes of a layout need; its address is `port`, and its secret is in the data folder. */
export async function openLayout(
  layout: Layout | null,
  port: number,
  dataFolder: string,
): Promise<OpenLayout> {
  if (layout === null)
    return {
      common: { RECODERY_PORT: String(port) },
      processes: [{}],
      stop: async () => undefined,
    };
  // loaded only here: it looks for an installed Swift
  const { startOwnPostgres } = await import('../../server/test/fixtures/database/own-postgres.ts');
  const postgres = await startOwnPostgres();
  const store = layout === 's3' ? await openStore() : null;
  const secretFile = join(dataFolder, 'secret');
  await writeFile(secretFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const ports = [await freePort(), await freePort()];
  const proxy = await startPlainProxy(ports, port);
  return {
    common: {
      RECODERY_DATABASE_URL: postgres.url,
      RECODERY_SECRET_FILE: secretFile,
      RECODERY_TRUSTED_PROXIES: '127.0.0.1',
      // with a separate database, the demo is not created by default
      RECODERY_DEMO: 'on',
      ...store?.settings,
    },
    processes: [
      ...ports.map((one) => ({ RECODERY_ROLES: 'portal', RECODERY_PORT: String(one) })),
      ...[1, 2].map(() => ({ RECODERY_ROLES: 'worker', RECODERY_ENGINES: '1' })),
    ],
    async stop() {
      await proxy.stop();
      await store?.stop();
      await postgres.remove();
    },
  };
}

/** An object store with an empty bucket. */
async function openStore() {
  const { startSwift } = await import('../../server/test/fixtures/services/swift.ts');
  const swift = await startSwift();
  const bucket = await swift.createBucket();
  const { accessKeyId, secretAccessKey } = swift.credentials;
  return {
    settings: {
      RECODERY_STORAGE_URL: `s3://${bucket}?endpoint=${swift.endpoint}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stop: () => swift.stop(),
  };
}
