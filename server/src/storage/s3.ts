/** Storage in an S3-compatible object store. Loaded only where one is configured: the SDK would slow every start. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { CannotStart } from '../config/cannot-start.ts';
import type { S3Address } from '../config/s3-address.ts';
import {
  type ByteStream,
  checkKey,
  NothingStored,
  type Storage,
  type StoredObject,
  type Written,
} from './storage.ts';

/** Bytes of a part, the least that S3 takes: what an upload holds in memory is two of them. */
const partSize = 5 * 2 ** 20;
/** Milliseconds to connect, and without any byte on a connection. */
const times = { connect: 5000, silence: 120_000 };
/** Connections at once: a download keeps one as long as its reader reads. */
const mostConnections = 256;

/** What proves who we are. Where none is given, the SDK looks where all programs for S3 do. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The client, the bucket and our part of it. */
interface Place {
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  /** Objects asked for at once when listing. */
  readonly pageSize: number;
}

/** A file's pieces; it is opened when the first is asked for, so that a fault of it is always heard. */
async function* piecesOf(path: string): ByteStream {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 });
}

/**
 * Opens the store at an address, and asks it for one name, so that a wrong address or key is known at the start.
 * @throws {CannotStart} when it does not answer as it should
 */
export async function openS3Storage(
  address: S3Address,
  credentials: S3Credentials | null = null,
  pageSize = 1000,
): Promise<Storage> {
  const { bucket, prefix, endpoint, region } = address;
  const place = { client: connect(endpoint, region, credentials), bucket, prefix, pageSize };
  await listPage(place, '').catch((error: unknown) => {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new CannotStart(
      `The object store of RECODERY_STORAGE_URL (bucket ${bucket}) cannot be used: ${reason}`,
    );
  });
  return createStorage(place);
}

function connect(
  endpoint: string | null,
  region: string,
  credentials: S3Credentials | null,
): S3Client {
  return new S3Client({
    region,
    // Only Amazon's own is sure to have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
    // By default streams get trailing checksums: Swift refuses those, and other stores keep them as part of the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: times.connect,
      socketTimeout: times.silence,
      httpAgent: { maxSockets: mostConnections },
      httpsAgent: { maxSockets: mostConnections },
    },
  });
}

function createStorage(place: Place): Storage {
  const { client, bucket: Bucket } = place;
  const nameOf = (key: string): string => place.prefix + checkKey(key);
  const read = async (key: string, Range?: string): Promise<Readable> => {
    const command = new GetObjectCommand({ Bucket, Key: nameOf(key), Range });
    const answer = await unlessMissing(client.send(command));
    if (answer === null || !(answer.Body instanceof Readable)) throw new NothingStored(key);
    return answer.Body;
  };
  const put = async (key: string, stream: ByteStream): Promise<Written> =>
    upload(place, nameOf(key), stream);

  return {
    put,
    fromFile: (key, path) => put(key, piecesOf(path)),
    get: (key, range) =>
      read(key, range === undefined ? undefined : `bytes=${range.start}-${range.end}`),
    async head(key): Promise<StoredObject | null> {
      const found = await unlessMissing(
        client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) })),
      );
      return found === null ? null : describe(key, found.ContentLength, found.LastModified);
    },
    async delete(key) {
      await unlessMissing(client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) })));
    },
    async *list(prefix) {
      let from: string | undefined;
      do {
        const page = await listPage(place, prefix, from);
        for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
          yield describe(Key.slice(place.prefix.length), Size, LastModified);
        }
        from = page.NextContinuationToken;
      } while (from !== undefined);
    },
    async toFile(key, path) {
      const from = await read(key);
      await pipeline(from, createWriteStream(path, { flags: 'wx' }));
    },
  };
}

/** Sends a stream, part by part; what breaks before the last part is there leaves nothing. */
async function upload(place: Place, name: string, stream: ByteStream): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (): AsyncIterable<Uint8Array> {
    for await (const piece of stream) {
      hash.update(piece);
      size += piece.byteLength;
      yield piece;
    }
  };
  const body = Readable.from(counted(), { objectMode: true, highWaterMark: 1 });
  const params = { Bucket: place.bucket, Key: name, Body: body };
  await new Upload({ client: place.client, params, partSize, queueSize: 1 }).done();
  return { size, sha256: hash.digest('hex') };
}

function listPage({ client, bucket, prefix, pageSize }: Place, start: string, from?: string) {
  return client.send(
    new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix + start,
      ContinuationToken: from,
      MaxKeys: pageSize,
    }),
  );
}

function describe(key: string, size: number | undefined, on: Date | undefined): StoredObject {
  if (size === undefined || on === undefined) throw new Error(`the store does not describe ${key}`);
  return { key, size, modifiedOn: on };
}

/** Gives null where there is no such object; any other fault is thrown on. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    const isMissing = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
    // A bucket that is gone is no missing file: nobody may take it for an empty store.
    if (isMissing && error.name !== 'NoSuchBucket') return null;
    throw error;
  });
}
