/**
 * The full export: one zip with every file of an organisation's jobs, and a manifest that names them with their hashes.
 */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../src/audit/read-audit.ts';
import { packJobs } from '../../src/jobs/export-jobs.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Client } from '../fixtures/client.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, sealImage } from '../journeys/families/kessv2-workflow.ts';

interface Manifest {
  readonly customerCode: string;
  readonly jobs: readonly {
    readonly guid: string;
    readonly vin: string | null;
    readonly note: string | null;
    readonly files: readonly { name: string; path: string | null; sha256: string; role: string }[];
  }[];
}

let portal: RunningPortal;
let anna: Client;
let stranger: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  [anna, stranger] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('luca@demo.test'),
  ]);
});
afterAll(() => portal.stop());

async function urlFor(client: Client): Promise<string> {
  const answer = await client.post('/api/jobs-export/ticket');
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as { url: string }).url;
}

// promise j1.export.zip
test('contains every file once, as listed in the manifest, and nothing of others', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = new Uint8Array(5000).fill(3);
  const names = ['../../evil/..\\name.bin', 'same.bin', 'same.bin'];
  for (const name of names) await decode(anna, sealImage(slave, 9000, image), name);
  const jobs = (await anna.get('/api/jobs')).json as { slotGUID: string }[];
  await anna.put(`/api/jobs/${jobs[0]?.slotGUID}/note`, { note: 'Ask "twice"\n世界' });
  // a file that the storage has lost
  const { db, config } = portal.platform;
  const { storage_key: lost } = await db
    .selectFrom('stored_file')
    .select('storage_key')
    .where('slot_guid', '=', jobs[1]?.slotGUID ?? '')
    .where('role', '=', 'id')
    .executeTakeFirstOrThrow();
  await (await openStorage(config)).storage.delete(lost);

  // only with the ticket
  const answer = await fetch(new URL(await urlFor(anna), portal.url));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=CC-1001-jobs.zip');
  const zip = readZip(await answer.bytes());
  const manifest = JSON.parse(new TextDecoder().decode(zip.get('manifest.json'))) as Manifest;
  expect(manifest.customerCode).toBe('CC-1001');
  expect(manifest.jobs.map(({ guid }) => guid)).toEqual(
    jobs.map(({ slotGUID }) => slotGUID).toReversed(),
  );
  expect(manifest.jobs[2]?.note).toBe('Ask "twice"\n世界');
  expect(manifest.jobs[0]?.vin).toBe('ZAR93900001234567');
  const files = manifest.jobs.flatMap((job) => job.files);
  expect(files.filter(({ path }) => path === null).map(({ role }) => role)).toEqual(['id']);
  const paths = files.flatMap(({ path }) => path ?? []);
  expect(new Set(zip.keys())).toEqual(new Set([...paths, 'manifest.json']));
  for (const path of paths) expect(path).toMatch(/^jobs\/[^/\\]+\/\d\d_[a-z]+_[^/\\]+$/);
  for (const { path, sha256 } of files)
    if (path !== null)
      expect(
        createHash('sha256')
          .update(zip.get(path) ?? '')
          .digest('hex'),
      ).toBe(sha256);

  const others = readZip(await (await fetch(new URL(await urlFor(stranger), portal.url))).bytes());
  expect([...others.keys()]).toEqual(['manifest.json']);
});

test('does not list a file that was stored after the files of its job had been packed', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, new Uint8Array(5000)));
  const { db, config } = portal.platform;
  const { storage } = await openStorage(config);
  const organisationId = await findOrganisationByCode(db, 'CC-1001');
  if (organisationId === null) throw new Error('the organisation is not there');
  const again = () => encode(anna, { kessv2FileSlotGUID: kessv2SlotGUID }, 'reencode-decoded-file');
  const deps = { db: meanwhile(db, again), storage };
  const zip = readZip(await buffer(packJobs(deps, { organisationId, customerCode: 'CC-1001' })));
  const manifest = JSON.parse(new TextDecoder().decode(zip.get('manifest.json'))) as Manifest;
  const job = manifest.jobs.find(({ guid }) => guid === kessv2SlotGUID);
  expect(job?.files.map(({ role }) => role).toSorted()).toEqual(['decoded', 'id', 'read']);
});

// promise j1.export.ticket
test('is refused without a ticket, and is in the audit trail', async () => {
  const url = await urlFor(anna);
  const [path, ticket = ''] = url.split('?ticket=');
  const get = async (query: string) => (await fetch(new URL(`${path}${query}`, portal.url))).status;
  expect(await get('')).toBe(401);
  expect(await get(`?ticket=${ticket}x`)).toBe(404);
  const other = (await urlFor(stranger)).split('?ticket=')[1] ?? '';
  const mixed = [other.split('.')[0], ...ticket.split('.').slice(1)].join('.');
  expect(await get(`?ticket=${mixed}`)).toBe(404);
  expect(await get(`?ticket=${ticket}`)).toBe(200);
  const actions = async () => {
    const found = [];
    for await (const { entry } of listAudit(portal.platform.db, { action: 'jobs.' }))
      found.push([entry.action, entry.outcome]);
    return found;
  };
  await expect.poll(actions).toContainEqual(['jobs.downloadJobsExport', 'done']);
});

test('is sent to an organisation at most twice at the same time, and one that is aborted makes room for the next', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  // more than fits in the buffers between portal and client: an export that no one reads stays open
  const image = new Uint8Array(12 * 1024 * 1024);
  await decode(anna, sealImage(slave, 9000, image), 'large.bin');
  const url = new URL(await urlFor(anna), portal.url);
  const held = [await fetch(url), await fetch(url)];
  expect(held.map(({ status }) => status)).toEqual([200, 200]);
  expect((await fetch(url)).status).toBe(429);
  expect((await anna.post('/api/jobs-export/ticket')).status).toBe(429);
  expect((await stranger.post('/api/jobs-export/ticket')).status).toBe(200);
  await held[0]?.body?.cancel();
  await expect.poll(async () => (await anna.post('/api/jobs-export/ticket')).status).toBe(200);
  expect(readZip(await (await fetch(url)).bytes()).has('manifest.json')).toBe(true);
  await held[1]?.body?.cancel();
});
