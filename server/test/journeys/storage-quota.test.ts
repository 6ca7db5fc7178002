/** An organisation's storage quota: concurrent uploads together do not exceed it. */
import { randomBytes } from 'node:crypto';
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { newGuid } from '../../src/config/guids.ts';
import { readStorageUse } from '../../src/organisations/storage-quota.ts';
import { decodedBytes } from '../../src/recoding/results/result-size.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { decode, sealImage } from './families/kessv2-workflow.ts';

const gibibyte = 2 ** 30;
const image = new Uint8Array(4096).fill(7);

let portal: RunningPortal;
let anna: Client;
let read: Uint8Array;
let slots: DecodeResult[];

beforeAll(async () => {
  portal = await startTestPortal({
    RECODERY_ORGANISATION_GIB: '1',
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
  anna = await portal.signIn('anna@demo.test');
  read = sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, image);
  slots = await Promise.all([1, 2, 3, 4].map(() => decode(anna, read)));
  // uploads from now on are not processed
  await portal.stopWorker();
});
afterAll(() => portal.stop());

/**
 * Leaves this many bytes to the organisation by changing the size of a file of its first slot; returns the resulting
 * limit.
 */
async function leave(bytes: number): Promise<() => Promise<number>> {
  const { db } = portal.platform;
  const [slot] = slots;
  if (slot === undefined) throw new Error('nothing was decoded');
  const row = await db
    .selectFrom('slot')
    .select('organisation_guid')
    .where('guid', '=', slot.kessv2SlotGUID)
    .executeTakeFirstOrThrow();
  const organisationId = mintOrganisationId(row.organisation_guid);
  const { usedBytes: used } = await readStorageUse(db, organisationId);
  await insertStoredFiles(db, [
    {
      guid: newGuid(),
      organisationId,
      slotGuid: slot.kessv2SlotGUID,
      role: 'encoded',
      component: null,
      name: 'large.moc',
      size: gibibyte - used - bytes,
      sha256: '0'.repeat(64),
      storageKey: `nothing/${randomBytes(8).toString('hex')}`,
      retentionDays: 30,
    },
  ]);
  return async () => (await readStorageUse(db, organisationId)).usedBytes;
}

/** Uploads in chunks: without a declared length, each one is admitted as long as a byte is left. */
function inChunks(verb: 'POST' | 'PUT', path: string, field: string, bytes: Uint8Array) {
  const head = `--cut\r\ncontent-disposition: form-data; name="${field}"; filename="f.tfc"\r\n\r\n`;
  const body = new Blob([head, new Uint8Array(bytes), '\r\n--cut--\r\n']).stream();
  return anna.call(verb, path, {
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    body,
    duplex: 'half',
  });
}

function outcomes(answers: readonly Answer[]): string[] {
  return answers
    .map(({ status, text }) => (status === 400 ? text : String(status)))
    .toSorted((one, other) => one.localeCompare(other));
}

describe("an organisation's last bytes", () => {
  test('are used by no more reads than fit, however many were admitted', async () => {
    // each also reserves space for its image
    const reserved = decodedBytes(
      { size: read.length },
      { components: [{ name: 'obd', type: 6, size: image.length }] },
    );
    const sum = await leave(2 * (read.length + reserved) + 100);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => inChunks('POST', '/api/kessv2/upload-read-file', 'readFile', read)),
    );
    expect(outcomes(answers)).toEqual([
      '202',
      '202',
      'STORAGE_QUOTA_REACHED',
      'STORAGE_QUOTA_REACHED',
    ]);
    expect(await sum()).toBe(gibibyte - 100);
    const waiting = await portal.platform.db
      .selectFrom('operation')
      .select('guid')
      .where('status', '=', 'waiting')
      .execute();
    expect(waiting).toHaveLength(2);
  });

  test('are used by no more modified images than fit', async () => {
    await portal.platform.db.deleteFrom('stored_file').where('name', '=', 'large.moc').execute();
    const sum = await leave(2 * image.length + 100);
    const answers = await Promise.all(
      slots.map(({ kessv2SlotGUID }) =>
        inChunks(
          'PUT',
          `/api/kessv2/upload-modified-file/${kessv2SlotGUID}`,
          'modifiedFile',
          image,
        ),
      ),
    );
    expect(outcomes(answers)).toEqual([
      '200',
      '200',
      'STORAGE_QUOTA_REACHED',
      'STORAGE_QUOTA_REACHED',
    ]);
    expect(await sum()).toBe(gibibyte - 100);
  });
});
