/** Storage in an S3-compatible object store. Loaded only when one is configured: the SDK would slow every start. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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
  keepError,
  NothingStored,
  StorageUnavailable,
  type Storage,
  type StoredObject,
  type Written,
} from './storage.ts';

/** Bytes of a part, the minimum that S3 accepts: an upload keeps two of them in memory. */
const partSize = 5 * 2 ** 20;
/** Timeouts in milliseconds: connecting, and inactivity of a connection. */
const times = { connect: 5000, silence: 120_000 };
/** Maximum connections: a download uses one until its reader has finished. */
const mostConnections = 256;

/** The credentials. If none are given, the SDK uses the standard S3 credential sources. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The client, the bucket and our prefix in it. */
interface Place {
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  /** Objects requested at once when listing. */
  readonly pageSize: number;
}

/** A file's pieces; it is opened with the first read, so that its errors always reach the reader. */
async function* piecesOf(path: string): ByteStream {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 });
}

/**
 * Opens the store and requests one key, so that a wrong address or credential is detected at the start.
 * @throws {CannotStart} when it does not respond correctly
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
      `Could not use the object store in RECODERY_STORAGE_URL (bucket ${bucket}): ${reason}. Check the URL and the AWS keys.`,
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
    return keepError(answer.Body);
  };
  const put = async (key: string, stream: ByteStream): Promise<Written> =>
    upload(place, nameOf(key), stream);

  return {
    put,
    fromFile: (key, path) => put(key, piecesOf(path)),
    async *pieces(key) {
      yield* await read(key);
    },
    get: (key, range) =>
      read(key, range === undefined ? undefined : `bytes=${range.start}-${range.end}`),
    start: async (key, count) => buffer(await read(key, `bytes=0-${count - 1}`)),
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
        const page = await listPage(place, prefix, from).catch((error: unknown) => {
          throw nameLoss(error);
        });
        for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
          yield describe(Key.slice(place.prefix.length), Size, LastModified);
        }
        from = page.NextContinuationToken;
      } while (from !== undefined);
    },
    // Parts of interrupted uploads are up to the bucket's lifecycle rule: listing them needs a different permission.
    deleteUnfinished: async () => 0,
  };
}

/** Sends a stream, part by part; if it fails before the last part, nothing is left. */
async function upload(place: Place, name: string, stream: ByteStream): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  let broken: { readonly error: unknown } | null = null;
  const counted = async function* (): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of stream) {
        hash.update(piece);
        size += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  const body = Readable.from(counted(), { objectMode: true, highWaterMark: 1 });
  const params = { Bucket: place.bucket, Key: name, Body: body };
  const sending = new Upload({ client: place.client, params, partSize, queueSize: 1 });
  await sending.done().catch((error: unknown) => {
    // an error of the stream is not the store's
    throw broken === null ? nameLoss(error) : error;
  });
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

function isMissing(error: unknown): boolean {
  // A missing bucket is not a missing file: it must not be treated as an empty store.
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/** Returns null when there is no such object. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw nameLoss(error);
  });
}

/** Names the error of a store that cannot be reached, is overloaded, or refuses our access. */
function nameLoss(error: unknown): unknown {
  if (!(error instanceof Error) || isMissing(error)) return error;
  const isFromStore = error instanceof S3ServiceException;
  const isFromNetwork = error.name === 'TimeoutError' || ('code' in error && 'syscall' in error);
  return isFromStore || isFromNetwork ? new StorageUnavailable(error) : error;
}
