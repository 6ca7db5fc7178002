/**
 * The import of an export: jobs come back with their files after they were deleted, and nothing that a file or a manifest
 * claims is believed.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { listAudit } from '../../src/audit/read-audit.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { encode, sealImage } from '../journeys/families/kessv2-workflow.ts';
import {
  bodyOf,
  decodedJob,
  deleteAll,
  type Exported,
  exportJobs,
  type File,
  importBytes,
  jobsOf,
  makeJob,
  send,
  strays,
} from './imports.ts';

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

const bytesOfRow = async (guid: string) => {
  const { db } = portal.platform;
  const { rows } = await sql<{ bytes: number }>`
    select stored_bytes::integer as bytes from organisation
    where guid = (select organisation_guid from slot where guid = ${guid})`.execute(db);
  return rows[0]?.bytes;
};

let slot: string;
let exported: Awaited<ReturnType<typeof exportJobs>>;
let job: Exported;
beforeAll(async () => {
  const image = new Uint8Array(5000).map((_, at) => at % 251);
  slot = await makeJob(portal, anna, image);
  exported = await exportJobs(portal, anna);
  const found = exported.manifest.jobs.find(({ guid }) => guid === slot);
  if (found === undefined) throw new Error('the job was not exported');
  job = found;
});

describe('a deleted job', () => {
  beforeEach(() => deleteAll(anna));

  // promise j1.import.round-trip, j1.import.again, j1.import.origin
  test('comes back from the export with equal files and can be encoded, and only once', async () => {
    expect(exported.manifest.format).toBe('recodery-jobs/2');
    const origin = { customerCode: 'CC-9', exportedOn: '2026-01-02T03:04:05.000Z' };
    const { outcome, slotGUID } = await importBytes(anna, bodyOf({ ...job, origin }, exported.zip));
    expect(outcome).toBe('imported');
    if (slotGUID === null) throw new Error('the new job is not named');
    const back = await decodedJob(anna, slotGUID);
    expect(back).toMatchObject({
      note: 'Ask "twice"\n世界',
      plate: 'MI 1',
      customerLabel: 'Rossi',
      vin: 'ZAR93900001234567',
      isKept: true,
      createdOn: job.createdOn,
      imported: { ...origin, importedOn: expect.stringMatching(/^20/) },
    });
    const kinds = ({ role, sha256 }: { role: string; sha256: string }) => `${role} ${sha256}`;
    const isSame = ({ role }: { role: string }) => role !== 'id';
    expect(back.files.filter(isSame).map(kinds).toSorted()).toEqual(
      job.files
        .filter((file) => isSame(file) && file.role !== 'restore')
        .map(kinds)
        .toSorted(),
    );
    for (const { fileGUID, sha256 } of back.files) {
      const { bytes } = await anna.get(`/api/files/${fileGUID}`);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    const modified = back.files.find(({ role }) => role === 'modified');
    expect(modified?.createdOn).toBe(job.files.find(({ role }) => role === 'modified')?.createdOn);
    const again = await encode(anna, { kessv2FileSlotGUID: slotGUID }, 'reencode-decoded-file');
    expect(again.size).toBeGreaterThan(0);

    expect(await importBytes(anna, bodyOf(job, exported.zip))).toMatchObject({ outcome: 'there' });
    expect(await jobsOf(anna)).toHaveLength(1);
    expect(await strays(portal)).toEqual([]);
  });

  // promise j1.import.former
  test('comes back from an export of the former format', async () => {
    const { readChecksums: _, ...former } = job;
    const outcome = await importBytes(anna, bodyOf(former, exported.zip));
    expect(outcome.outcome).toBe('imported');
    await decodedJob(anna, outcome.slotGUID ?? '');
  });

  // promise j1.import.quiet, j1.import.audit
  test('is no news in the bell, and is in the audit trail', async () => {
    const list = async () => (await anna.get('/api/async-operation-notifications/?count=99')).text;
    const before = await list();
    const { slotGUID } = await importBytes(anna, bodyOf(job, exported.zip));
    await decodedJob(anna, slotGUID ?? '');
    expect(await list()).toBe(before);
    const found = async () => {
      const objects = [];
      for await (const { entry } of listAudit(portal.platform.db, { action: 'jobs.importJob' }))
        objects.push(entry.object);
      return objects;
    };
    await expect.poll(found).toContainEqual({ slotGUID });
  });

  // promise j1.import.once
  test('is imported once if two imports of it run at once', async () => {
    const body = bodyOf(job, exported.zip);
    const outcomes = await Promise.all([importBytes(anna, body), importBytes(anna, body)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['imported', 'there']);
    expect(await jobsOf(anna)).toHaveLength(1);
    expect(await strays(portal)).toEqual([]);
  });

  // promise j1.import.devices
  test('is refused by an organization without its devices, which are named', async () => {
    const outcome = await importBytes(stranger, bodyOf(job, exported.zip));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'MASTER' });
    expect(outcome.detail).toMatch(/\S/);
    expect(await jobsOf(stranger)).toEqual([]);
    expect(await strays(portal)).toEqual([]);
  });

  // promise j1.import.devices
  test('is refused if its read was made with another key, as in another installation', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const foreign = { ...slave, pairKey: slave.pairKey.toReversed() };
    const bytes = sealImage(foreign, 9000, new Uint8Array(5000).fill(9));
    const [read] = job.files.filter(({ role }) => role === 'read');
    if (read === undefined) throw new Error('the job has no read');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const files = [{ ...read, size: bytes.length, sha256, path: 'read' }];
    const outcome = await importBytes(anna, bodyOf({ ...job, files }, new Map([['read', bytes]])));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'KEY', detail: 'KV2-000007' });
    expect([await jobsOf(anna), await strays(portal)]).toEqual([[], []]);
  });

  test('is refused if its read is a file for the slave', async () => {
    const [read] = job.files.filter(({ role }) => role === 'read');
    const [encoded] = job.files.filter(({ role }) => role === 'encoded');
    if (read === undefined || encoded === undefined) throw new Error('the job lacks a file');
    const files = [{ ...encoded, role: 'read', createdOn: read.createdOn }];
    const outcome = await importBytes(anna, bodyOf({ ...job, files }, exported.zip));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'NOT_A_READ' });
    expect(await strays(portal)).toEqual([]);
  });

  test('keeps its bytes if the connection is lost while it is committed', async () => {
    const { db } = portal.platform;
    // the last statement of the transaction fails, as it does for the portal after a commit whose answer is lost
    await sql`
      create function lose_import() returns trigger language plpgsql as
        $$ begin raise exception 'lost' using errcode = '08006'; end $$`.execute(db);
    await sql`
      create constraint trigger lose_import after insert on slot
      deferrable initially deferred for each row execute function lose_import()`.execute(db);
    const answer = await send(anna, bodyOf(job, exported.zip));
    await sql`drop trigger lose_import on slot`.execute(db);
    await sql`drop function lose_import()`.execute(db);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await strays(portal)).length).toBeGreaterThan(0);
    const { storage } = await openStorage(portal.platform.config);
    for (const key of await strays(portal)) await storage.delete(key);
  });

  // promise j1.import.hostile
  test('is not imported if any byte of it was changed, is missing or was added', async () => {
    const body = bodyOf(job, exported.zip);
    const start = body.indexOf(0x0a) + 1;
    const used = await bytesOfRow(slot);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.integer({ min: start, max: body.length - 1 }).map((at) => {
            const changed = Uint8Array.from(body);
            changed[at] = ~(changed[at] ?? 0);
            return changed;
          }),
          fc.integer({ min: start, max: body.length - 1 }).map((end) => body.subarray(0, end)),
          fc.uint8Array({ minLength: 1, maxLength: 20 }).map((more) => Buffer.concat([body, more])),
        ),
        async (bytes) => {
          const { outcome, reason } = await importBytes(anna, bytes);
          expect([outcome, reason]).toEqual([
            'refused',
            expect.stringMatching(/^(CHANGED|INVALID)$/),
          ]);
        },
      ),
      { numRuns: 15 },
    );
    expect(await jobsOf(anna)).toEqual([]);
    expect([await bytesOfRow(slot), await strays(portal)]).toEqual([used, []]);
  });

  // promise j1.import.hostile
  test.each<[string, Partial<Exported> | string, string]>([
    ['no JSON', '{', 'INVALID'],
    ['no object', 'null', 'INVALID'],
    ['an unknown family', { family: 'kess4' }, 'INVALID'],
    ['a workflow of another family', { workflow: 'ktag' }, 'INVALID'],
    ['a job of the future', { createdOn: '2999-01-01T00:00:00.000Z' }, 'INVALID'],
    ['a text that cannot be stored', { note: 'a\0b' }, 'INVALID'],
    ['half a character', { plate: '\ud800' }, 'INVALID'],
    ['no files', { files: [] }, 'NO_READ'],
    ['a line that is too long', { note: 'x'.repeat(2 ** 20) }, 'INVALID'],
  ])('is refused with %s in its place', async (_, change, reason) => {
    const bytes =
      typeof change === 'string'
        ? Buffer.from(`${change}\n`)
        : bodyOf({ ...job, ...change }, exported.zip);
    expect(await importBytes(anna, bytes)).toMatchObject({ outcome: 'refused', reason });
    expect(await jobsOf(anna)).toEqual([]);
  });

  // promise j1.import.hostile
  test.each<[string, Partial<File>]>([
    ['an unknown component', { component: '../flash' }],
    ['a negative size', { size: -1 }],
    ['a size beyond what fits', { size: Number.MAX_SAFE_INTEGER }],
    ['no hash', { sha256: '' }],
  ])('is refused with a file that has %s', async (_, change) => {
    const files = job.files.map((file) =>
      file.role === 'modified' ? { ...file, ...change } : file,
    );
    const bytes = bodyOf({ ...job, files }, exported.zip);
    expect(await importBytes(anna, bytes)).toMatchObject({ outcome: 'refused', reason: 'INVALID' });
  });

  test('has file names that are safe', async () => {
    const files = job.files.map((file) => ({ ...file, name: '../../etc/\u202epasswd' }));
    const body = bodyOf({ ...job, files, fileName: '..\\..\\x.tfc' }, exported.zip);
    const { slotGUID } = await importBytes(anna, body);
    const back = await decodedJob(anna, slotGUID ?? '');
    for (const { name } of back.files) expect(name).not.toMatch(/[/\\\u202e]/);
  });
});
