/**
 * The storage in an S3-compatible object store: the common suite on OpenStack Swift, a complete workflow, and the cases
 * that are specific to an object store.
 */
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { sweep } from '../../src/upkeep/sweep.ts';
import { readS3Address, type S3Address } from '../../src/config/s3-address.ts';
import { openS3Storage } from '../../src/storage/s3.ts';
import { measureDisk } from '../../src/storage/disk-room.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { hasSwift, isS3Required, startSwift, type Swift } from '../fixtures/services/swift.ts';
import {
  accept,
  decode,
  encode,
  keepImage,
  sealImage,
} from '../journeys/families/kessv2-workflow.ts';
import { describeStorage } from './storage-suite.ts';

const mebibyte = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function addressOf(value: string): S3Address {
  const address = readS3Address(value);
  if (typeof address === 'string') throw new Error(address);
  return address;
}

describe('the address of an object store', () => {
  it('contains bucket, prefix, endpoint and region', () => {
    expect(addressOf('s3://files/shop/1?endpoint=http://127.0.0.1:9000&region=eu-1')).toEqual({
      bucket: 'files',
      prefix: 'shop/1/',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
    });
    expect(addressOf('s3://files')).toEqual({
      bucket: 'files',
      prefix: '',
      endpoint: null,
      region: 'us-east-1',
    });
  });

  it.each([
    's3://',
    's3://key:secret@files',
    's3://files?endpoint=minio:9000',
    's3://files?acl=public',
    's3://files/..%2Fother',
  ])('is refused if it is %s', (value) => {
    expect(readS3Address(value)).toBeTypeOf('string');
  });
});

// Shows up in the test report; a run that requires `s3` fails instead.
describe.skipIf(!hasSwift && !isS3Required)('on OpenStack Swift', () => {
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
    // where the portal's SDK reads them
    vi.stubEnv('AWS_ACCESS_KEY_ID', swift.credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', swift.credentials.secretAccessKey);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await swift.stop();
  });

  const address = async (prefix = '') =>
    addressOf(`s3://${await swift.createBucket()}/${prefix}?endpoint=${swift.endpoint}`);
  const open = async (prefix = ''): Promise<Storage> =>
    openS3Storage(await address(prefix), swift.credentials);

  describeStorage('a part of a bucket', () => open('shop/one'));
  describeStorage('a bucket', () => open(), { tags: 'release' });

  it('stores a multipart file unchanged, with any range of it', async () => {
    const storage = await open('shop');
    const whole = randomBytes(11 * mebibyte + 7);
    const written = await storage.put('large', piecesOf(whole));
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(written).toEqual({ size: whole.length, sha256 });
    expect((await buffer(await storage.get('large'))).equals(whole)).toBe(true);
    const range = { start: 5 * mebibyte - 3, end: 10 * mebibyte + 3 };
    const part = whole.subarray(range.start, range.end + 1);
    expect((await buffer(await storage.get('large', range))).equals(part)).toBe(true);
    expect(await storage.head('large')).toMatchObject({ key: 'large', size: whole.length });
    await storage.delete('large');
    expect(await storage.head('large')).toBeNull();
  });

  it('leaves no parts behind if a stream breaks after some were sent', async () => {
    const to = await address();
    const storage = await openS3Storage(to, swift.credentials);
    const breaking = (async function* () {
      yield* piecesOf(randomBytes(12 * mebibyte));
      throw new Error('the line broke');
    })();
    await expect(storage.put('half', breaking)).rejects.toThrow('the line broke');
    expect(await storage.head('half')).toBeNull();
    const client = new S3Client({
      endpoint: swift.endpoint,
      credentials: swift.credentials,
      region: 'us-east-1',
      forcePathStyle: true,
    });
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: to.bucket }));
    expect(Uploads ?? []).toEqual([]);
    client.destroy();
  });

  it('lists more than one page of objects', async () => {
    const storage = await openS3Storage(await address('shop'), swift.credentials, 7);
    const keys = Array.from({ length: 22 }, (_, index) => `many/${index}`);
    await Promise.all(keys.map((key) => storage.put(key, piecesOf(Buffer.from(key)))));
    const found: string[] = [];
    for await (const { key } of storage.list('many/')) found.push(key);
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  it('isolates the prefixes of a bucket from each other', async () => {
    const { bucket } = await address();
    const openPart = (prefix: string) =>
      openS3Storage(
        addressOf(`s3://${bucket}/${prefix}?endpoint=${swift.endpoint}`),
        swift.credentials,
      );
    const [one, two] = await Promise.all([openPart('one'), openPart('on')]);
    await one.put('a', piecesOf(Buffer.from('a')));
    const found: string[] = [];
    for await (const { key } of two.list('')) found.push(key);
    expect(found).toEqual([]);
    expect(await two.head('a')).toBeNull();
  });

  it('uses little memory for a large file, however quickly it arrives', {
    tags: 'release',
  }, async () => {
    const storage = await open();
    const piece = randomBytes(mebibyte);
    const limit = 48 * mebibyte;
    let most = 0;
    // what earlier tests of this process have left is collected during this one, and would hide what it uses
    collectGarbage();
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const used = () => process.memoryUsage().arrayBuffers - before;
    const quick = (async function* () {
      for (let count = 0; count < 96; count += 1) {
        yield piece;
        // Sent parts are garbage until they are collected. The second collection waits for the first one's sweep, and
        // neither gives the store time to catch up.
        if (used() > limit) {
          collectGarbage();
          collectGarbage();
        }
        most = Math.max(most, used());
      }
    })();
    expect((await storage.put('large', quick)).size).toBe(96 * mebibyte);
    expect(most).toBeLessThan(limit);
  });

  it('runs a complete workflow: uploads, engines, downloads and ranges, and the sweep', async () => {
    const portal = await startTestPortal({
      RECODERY_STORAGE_URL: `s3://${await swift.createBucket()}/portal?endpoint=${swift.endpoint}`,
    });
    try {
      const anna = await portal.signIn('anna@demo.test');
      const slave = await portal.getSlave('kessv2', 'KV2-000007');
      const image = randomBytes(6 * mebibyte);
      const decoded = await decode(anna, sealImage(slave, 9000, image));
      const url = decoded.decodedFileURL ?? '';
      expect(image.equals((await anna.get(url)).bytes)).toBe(true);
      const range = { headers: { range: 'bytes=5242000-5243999' } };
      const part = await anna.call('GET', url, range);
      expect([part.status, image.subarray(5_242_000, 5_244_000).equals(part.bytes)]).toEqual([
        206,
        true,
      ]);
      image.fill(7, 100, 5_500_000);
      const slot = decoded.kessv2SlotGUID;
      const { fileGUID } = await keepImage(anna, 'modified', slot, image);
      const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID, willCorrectCVN: false };
      const encoded = await encode(anna, body);
      expect(image.equals(await accept(anna, slave, encoded))).toBe(true);

      const { db, log, config } = portal.platform;
      const { storage, measureDisks } = await openStorage(config);
      // the engines' copies are on disk, regardless of where the files are
      const { total } = await measureDisk(config.dataDir);
      expect((await measureDisks()).map((disk) => disk.total)).toEqual([total]);
      const count = async () => {
        let keys = 0;
        for await (const _object of storage.list('')) keys += 1;
        return keys;
      };
      expect(await count()).toBe(5);
      await sql`update slot set created_on = created_on - interval '31 days'`.execute(db);
      await sql`update stored_file set created_on = now() - interval '30 days', expires_on = now()`.execute(
        db,
      );
      await sweep({
        db,
        storage,
        log,
        retentionDays: 30,
        retentionBounds: { least: 10, most: 3650 },
        auditDays: 400,
      });
      expect(await count()).toBe(0);
    } finally {
      await portal.stop();
    }
  });

  it.each([
    ['a missing bucket', 's3://no-such-bucket', {}],
    ['a wrong key', 's3://bucket-1', { secretAccessKey: 'wrong' }],
  ])('does not start with %s', async (_what, value, other) => {
    const wrong = { ...swift.credentials, ...other };
    const to = addressOf(`${value}?endpoint=${swift.endpoint}`);
    await expect(openS3Storage(to, wrong)).rejects.toThrow(
      /^Could not use the object store in RECODERY_STOR/,
    );
  });

  it('does not start if the endpoint is unreachable', async () => {
    const to = addressOf('s3://files?endpoint=http://127.0.0.1:1');
    await expect(openS3Storage(to, swift.credentials)).rejects.toThrow('ECONNREFUSED');
  });
});

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
