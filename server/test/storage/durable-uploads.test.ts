/** Files of tests are in memory, where a sync does nothing: this test observes the syncs of an upload instead. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let root: string;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  root = fileURLToPath(portal.platform.config.storageUrl);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => portal.stop());

/** A file or folder that was synced. */
interface Sync {
  /** The number of its inode: a file keeps it when it gets its final name. */
  readonly inode: number;
  /** How many files had their final name before. */
  readonly placed: number;
  /** How many files the database listed afterwards, for other connections. */
  readonly listed: number;
}

async function countPlaced(): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.aside')).length;
}

async function observeSyncs(whenSynced: (sync: Sync) => void): Promise<void> {
  const folder = await open(root);
  const handles = Object.getPrototypeOf(folder) as FileHandle;
  await folder.close();
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const placed = await countPlaced();
    await sync.call(this);
    const rows = await portal.platform.db.selectFrom('stored_file').select('guid').execute();
    whenSynced({ inode: (await this.stat()).ino, placed, listed: rows.length });
  });
}

/** Observes the transaction that lists a file. */
function observeListing(step: (name: 'row' | 'commit') => void): void {
  const { query } = pg.Client.prototype;
  const writers = new Set<pg.Client>();
  const observed = async function (this: pg.Client, ...asked: readonly unknown[]) {
    const [first] = asked as [string | { readonly text: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text.includes('insert into "stored_file"')) {
      writers.add(this);
      step('row');
    }
    const answer: unknown = await Reflect.apply(query, this, asked);
    if (text === 'commit' && writers.has(this)) step('commit');
    return answer;
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(observed);
}

function observeStatus(step: (status: string) => void): void {
  const { writeHead } = ServerResponse.prototype;
  const observed = function (this: ServerResponse, ...head: readonly unknown[]): ServerResponse {
    step(String(head[0]));
    return Reflect.apply(writeHead, this, head) as ServerResponse;
  };
  vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(observed);
}

test('an upload is answered after its file was synced, then its folders, and then its row was committed', async () => {
  const anna = await portal.signIn('anna@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const syncs: Sync[] = [];
  const steps: string[] = [];
  await observeSyncs((sync) => {
    syncs.push(sync);
    steps.push('sync');
  });
  observeListing((name) => steps.push(name));
  observeStatus((status) => steps.push(status));
  started(await uploadRead(anna, sealImage(slave, 9000, randomBytes(4096))));
  vi.restoreAllMocks();

  const found = portal.platform.db.selectFrom('stored_file').select('storage_key as key');
  const file = join(root, (await found.executeTakeFirstOrThrow()).key);
  const folders: string[] = [];
  for (let path = file; path !== root; ) folders.push((path = dirname(path)));
  const inodeOf = async (path: string) => (await stat(path)).ino;
  const inodes = await Promise.all(folders.map(inodeOf));
  const [first, ...others] = syncs;
  expect(first).toEqual({ inode: await inodeOf(file), placed: 0, listed: 0 });
  // at once, so in any order
  expect(others.toSorted((one, other) => one.inode - other.inode)).toEqual(
    inodes.toSorted((one, other) => one - other).map((inode) => ({ inode, placed: 1, listed: 0 })),
  );
  expect(steps).toEqual([...syncs.map(() => 'sync'), 'row', 'commit', '202']);
});
