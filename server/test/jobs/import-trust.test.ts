/** What an import believes: the line announces how much may arrive, and files say themselves what they are. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { sessionHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../src/audit/read-audit.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { resultOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { protocolOf } from '../journeys/families/kessv2-workflow.ts';
import {
  bodyOf,
  decodedJob,
  deleteAll,
  type Exported,
  exportJobs,
  importBytes,
  jobsOf,
  makeJob,
  strays,
} from './imports.ts';

const serial = 'KV2-000007';

let portal: RunningPortal;
let anna: Client;
let exported: Awaited<ReturnType<typeof exportJobs>>;
let job: Exported;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_ORGANISATION_GIB: '1' });
  anna = await portal.signIn('anna@demo.test');
  const slot = await makeJob(portal, anna, new Uint8Array(5000).fill(7));
  exported = await exportJobs(portal, anna);
  const found = exported.manifest.jobs.find(({ guid }) => guid === slot);
  if (found === undefined) throw new Error('the job was not exported');
  job = found;
});
afterAll(() => portal.stop());
beforeEach(() => deleteAll(anna));

/** Begins an import in chunks, of which only the beginning is sent; the response ends the test. */
async function begin(bytes: Uint8Array): Promise<string> {
  const socket: Socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    [
      'POST /api/jobs-import HTTP/1.1',
      'host: localhost',
      `${sessionHeader}: ${anna.sessionId}`,
      'content-type: multipart/form-data; boundary=cut',
      'transfer-encoding: chunked',
      '\r\n',
    ].join('\r\n'),
  );
  const part = Buffer.concat([
    Buffer.from('--cut\r\ncontent-disposition: form-data; name="job"; filename="job"\r\n\r\n'),
    bytes,
  ]);
  socket.write(`${part.length.toString(16)}\r\n`);
  socket.write(part);
  socket.write('\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

/** The line of the job, with another size of its encoded file. */
function lineWith(encodedBytes: number): Buffer {
  const files = job.files
    .filter(({ role }) => ['read', 'encoded'].includes(role))
    .map((file) => (file.role === 'encoded' ? { ...file, size: encodedBytes } : file));
  return Buffer.from(`${JSON.stringify({ ...job, files })}\n`);
}

describe('a body of unknown length', () => {
  // promise j1.import.quota
  test('is refused as soon as its first line announces more than the quota', async () => {
    expect(await begin(lineWith(2 ** 30))).toMatch(/STORAGE_QUOTA_REACHED$/);
    expect([await jobsOf(anna), await strays(portal)]).toEqual([[], []]);
  });

  // promise j1.import.quota
  test('ends where its first line announces, and nothing of it remains', async () => {
    const more = Buffer.alloc(2 ** 20);
    const whole = Buffer.concat([bodyOf(job, exported.zip), more]);
    expect(await begin(whole)).toMatch(/FILE_TOO_LARGE$/);
    expect([await jobsOf(anna), await strays(portal)]).toEqual([[], []]);
  });
});

describe('a job whose read is', () => {
  const importAll = () => importBytes(anna, bodyOf(job, exported.zip));
  const change = async (how: 'deleted' | 'expired' | 'damaged') => {
    const { db } = portal.platform;
    const read = sql`role = 'read' and sha256 = ${job.files.find(({ role }) => role === 'read')?.sha256}
      and deleted_on is null`;
    if (how === 'deleted')
      await sql`update stored_file set deleted_on = now() where ${read}`.execute(db);
    if (how === 'expired')
      await sql`update stored_file set expires_on = now() where ${read}`.execute(db);
    if (how === 'damaged')
      await sql`insert into damaged_file (storage_key, damage)
        select storage_key, 'changed' from stored_file where ${read}`.execute(db);
  };

  // promise j1.import.again
  test.each(['deleted', 'expired', 'damaged'] as const)('%s is imported again', async (how) => {
    const { slotGUID } = await importAll();
    await decodedJob(anna, slotGUID ?? '');
    await anna.put(`/api/jobs/${slotGUID}/keep`, { isKept: false });
    await change(how);
    expect(await importAll()).toMatchObject({ outcome: 'imported' });
    const found = await jobsOf(anna);
    expect(found).toHaveLength(2);
  });
});

// promise j1.import.number
test('the number of an encoded file is the one in its header, and that of the slave stays', async () => {
  const { db } = portal.platform;
  const numbers = () =>
    db
      .selectFrom('slave_device')
      .where('serial_number', '=', serial)
      .select(['last_number', 'last_encoded_number'])
      .executeTakeFirstOrThrow();
  const before = await numbers();
  const files = job.files.map((file) => ({ ...file, number: 2 ** 31 - 1 }));
  const { slotGUID } = await importBytes(anna, bodyOf({ ...job, files }, exported.zip));
  await decodedJob(anna, slotGUID ?? '');
  const { number } = await db
    .selectFrom('stored_file')
    .where('slot_guid', '=', slotGUID ?? '')
    .where('role', '=', 'encoded')
    .select('number')
    .executeTakeFirstOrThrow();
  expect(number).toBe(before.last_encoded_number);
  expect(await numbers()).toEqual(before);
});

// promise j1.import.audit
test('the audit trail says which imports had no effect, and why', async () => {
  const body = bodyOf(job, exported.zip);
  const outcomes = async () => {
    const found: string[] = [];
    for await (const { entry } of listAudit(portal.platform.db, { action: 'jobs.importJob' }))
      found.push(entry.outcome);
    return found;
  };
  const { length } = await outcomes();
  await importBytes(anna, body);
  await importBytes(anna, body);
  await importBytes(anna, body.subarray(0, -1));
  await importBytes(anna, bodyOf({ ...job, createdOn: '2999-01-01T00:00:00Z' }, exported.zip));
  await expect
    .poll(async () => (await outcomes()).filter((outcome) => outcome === 'INVALID'))
    .not.toEqual([]);
  expect((await outcomes()).slice(length)).toEqual(expect.arrayContaining(['done', 'there']));
});

// promise j1.import.devices
test('a read whose key is revoked is refused with that reason', async () => {
  const { db } = portal.platform;
  const setRevoked = (keys: readonly number[]) =>
    db
      .updateTable('slave_device')
      .where('serial_number', '=', serial)
      .set({ revoked_key_ids: [...keys] })
      .execute();
  await setRevoked([1, 2, 3]);
  const outcome = await importBytes(anna, bodyOf(job, exported.zip));
  await setRevoked([]);
  expect(outcome).toMatchObject({ outcome: 'refused', reason: 'REVOKED_KEY', detail: serial });
});

describe('a read with wrong checksums', () => {
  // promise j1.import.checksums
  test('is imported by those who may ignore that, and by no one else', async () => {
    const protocol = protocolOf(1001);
    const image = tuneImage(protocol, 'obd', generateImage(protocol, 'obd', 1), 2);
    const slave = await portal.getSlave('kess3', 'KS3-000042');
    const read = seal(slave, { protocolId: 1001, mode: 'obd', images: new Map([['obd', image]]) });
    const path = '/api/kess3/upload-read-file?skipChecksum=true';
    const result = await resultOf(anna, await uploadTo(anna, path, read));
    const { kess3FileSlotGUID: slot } = result as { kess3FileSlotGUID: string };
    const { zip, manifest } = await exportJobs(portal, anna);
    const wrong = manifest.jobs.find(({ guid }) => guid === slot);
    if (wrong === undefined) throw new Error('the job was not exported');
    expect(wrong['readChecksums']).toBe('wrong');
    await deleteAll(anna);
    const may = (isAllowed: boolean) =>
      sql`update organisation set may_skip_checksum = ${isAllowed}`.execute(portal.platform.db);
    const before = await strays(portal);
    await may(false);
    expect(await importBytes(anna, bodyOf(wrong, zip))).toMatchObject({
      outcome: 'refused',
      reason: 'CHECKSUMS',
    });
    expect([await jobsOf(anna), await strays(portal)]).toEqual([[], before]);
    await may(true);
    const { slotGUID } = await importBytes(anna, bodyOf(wrong, zip));
    const back = await decodedJob(anna, slotGUID ?? '');
    const [file] = back.files.filter(({ role }) => role === 'read');
    expect(file?.sha256).toBe(createHash('sha256').update(read).digest('hex'));
  });
});
