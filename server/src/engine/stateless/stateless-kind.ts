/**
 * What the makers' stateless services share: one request with the bytes of a file, one response with those of another.
 * A maker's own file only describes its two requests.
 */
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { recognizeArchive, recognizedBytes } from '@recodery/contract/recognize';
import { RequestRefused, ServiceUnavailable } from '../../encoding-api-client/errors.ts';
import { memberOf } from '../../encoding-api-client/error-words.ts';
import type {
  DecodeJob,
  EncodeJob,
  EngineContext,
  EngineDecode,
  EngineEncode,
  EngineJob,
} from '../engine.ts';
import type { EngineTools, ServiceAccess, ServiceEngineKind } from '../kind.ts';
import { asEngineError, openPatience, type Patience } from '../patience.ts';
import { unreported } from '../unreported.ts';
import { type Content, writeContent } from './content.ts';
import { AccessRefused, exchange, type ServiceRequest } from './exchange.ts';
import { packSealed, type SealedImage } from './seal-images.ts';
import { testService } from './test-service.ts';

/** A read that the service has opened. */
export interface ServiceRead {
  /** The name that the portal gives the read, without extension; null: the portal chooses one. */
  readonly name: string | null;
  readonly mode: Mode;
  readonly images: readonly { readonly component: ComponentName; readonly bytes: Buffer }[];
  /** What {@link Maker.encode} needs again. */
  readonly context: EngineContext;
  /** What the service reports of the read. */
  readonly facts?: Partial<Pick<EngineDecode, 'information'>>;
}

/** The images of an encode, each modified or as it was read. */
export type EncodedImages = ReadonlyMap<ComponentName, Buffer>;

/** A request without the headers that all requests of the maker have. */
export interface MakerRequest extends Pick<ServiceRequest, 'path'> {
  readonly content: Content;
  /** Of a decode: what {@link Maker.decode} needs again when it reads the response. */
  readonly known?: EngineContext;
}

/** A request whose body is in a file. */
interface LaidRequest extends Pick<ServiceRequest, 'path' | 'contentType' | 'body'> {
  readonly known: EngineContext;
}

/** What a response is read with. */
export interface Reading {
  /** Of the request. */
  readonly known: EngineContext;
  /** Bytes that the images may have together. */
  readonly maxFileBytes: number;
}

/** What differs between the makers. */
export interface Maker {
  /** Statuses of 500 and above with which the service refuses for good; absent: none. */
  readonly finalStatuses?: readonly number[];
  /** The headers of every request. */
  headers(access: ServiceAccess): Readonly<Record<string, string>>;
  /** Why a response with a status of success is a refusal all the same; null: it is none. Absent: there are none. */
  findRefusal?(json: unknown): string | null;
  readonly decode: {
    /** @throws {RequestRefused} if something is missing that the service needs; `slave`: its serial number, if it is known */
    request(read: Buffer, slave: string | null): MakerRequest;
    /**
     * @throws {ServiceUnavailable} for a response that may be right when the request is repeated
     * @throws {RequestRefused} for one that would be the same again
     */
    read(json: unknown, reading: Reading): ServiceRead;
  };
  readonly encode: {
    /** Each request seals one image, into a file of its own; a zip contains those of several. Absent: one seals all. */
    readonly sealsEach?: true;
    /** @throws {RequestRefused} if the context is not the maker's */
    request(images: EncodedImages, context: EngineContext): MakerRequest;
    /** The bytes of the file for the slave. Throws as {@link Maker.decode} does. */
    read(json: unknown): Buffer;
  };
}

/** How a service writes the hash of its data. */
export interface HashRule {
  readonly algorithm: 'sha1' | 'sha256';
  readonly isUpperCase: boolean;
}

/** The data in the member `data` of a response, in Base64, whose hash is in the member `hash`. */
export function readHashedData(json: unknown, { algorithm, isUpperCase }: HashRule): Buffer {
  const [data, hash] = [memberOf(json, 'data'), memberOf(json, 'hash')];
  if (typeof data !== 'string') throw new ServiceUnavailable('the response contains no data');
  const bytes = Buffer.from(data, 'base64');
  const hex = createHash(algorithm).update(bytes).digest('hex');
  if (hash !== (isUpperCase ? hex.toUpperCase() : hex))
    throw new ServiceUnavailable('the data does not have the hash that the service states');
  // its hash is right, so that a repeated request would return the same
  if (bytes.length === 0) throw new RequestRefused('the service returned an empty file');
  return bytes;
}

/**
 * The refusal of a read without a member that an encode needs. Only for data whose hash is right: a repeated request would
 * return the same.
 */
export function refuseWithout(name: string): RequestRefused {
  return new RequestRefused(
    `the service did not report the ${name} of this read, which an encode needs: read the control unit again, or ask the maker for support`,
  );
}

/** The kind of a maker's service. */
export function createStatelessKind(maker: Maker): ServiceEngineKind {
  return {
    open: (access, tools) => {
      const service = { maker, access, tools, isRefused: false };
      return {
        decode: (job) => run(service, job, (patience) => decode(service, job, patience)),
        encode: (job) => run(service, job, (patience) => encode(service, job, patience)),
      };
    },
    test: (access) => {
      const { path, content } = maker.decode.request(notARead, 'TEST');
      const { contentType, body } = writeContent(content);
      const request = { path, contentType, body: new Blob([body]) };
      return testService(access.url, async (limits) => {
        const json = await exchange(access.url, requestOf(maker, access, request), {
          ...limits,
          finalStatuses: maker.finalStatuses ?? [],
          hideSecrets: (text) => hideSecrets(text, [access]),
        });
        throwRefusal(maker, json, [access]);
      });
    },
  };
}

/** What a test sends: every service must refuse it. */
const notARead = Buffer.from('This is not a read file. Recodery sends it to test the connection.');

interface Service {
  readonly maker: Maker;
  /** As it was opened. */
  readonly access: ServiceAccess;
  readonly tools: EngineTools;
  /** Whether a refusal of the credentials has been reported. */
  isRefused: boolean;
}

function hideSecrets(text: string, accesses: readonly ServiceAccess[]): string {
  return accesses.reduce((left, { secret }) => left.replaceAll(secret, '***'), text);
}

function requestOf(
  maker: Maker,
  access: ServiceAccess,
  request: Omit<LaidRequest, 'known'>,
): ServiceRequest {
  return { ...request, headers: maker.headers(access) };
}

function run<T>(
  service: Service,
  job: EngineJob,
  work: (patience: Patience) => Promise<T>,
): Promise<T> {
  return work(openPatience(job, service.tools)).catch((error: unknown) => {
    throw asEngineError(error, (text) => hideSecrets(text, [service.access]));
  });
}

/**
 * Writes a request to a file of the job, one at a time: it takes several times the memory of its images, which must not be
 * held for as long as the service may be unavailable.
 */
function layRequest(
  { tools }: Service,
  { folder, signal }: EngineJob,
  build: () => Promise<MakerRequest>,
): Promise<LaidRequest> {
  return tools.receive(signal, async () => {
    const { path, content, known = {} } = await build();
    const { contentType, body } = writeContent(content);
    const file = join(folder, 'request');
    await writeFile(file, body);
    return { path, contentType, body: await openAsBlob(file), known };
  });
}

/** Throws the refusal of a response with a status of success. */
function throwRefusal(maker: Maker, json: unknown, accesses: readonly ServiceAccess[]): void {
  const refusal = maker.findRefusal?.(json) ?? null;
  if (refusal !== null) throw new RequestRefused(hideSecrets(refusal, accesses));
}

/** Sends a request until its response can be read. Sending it again changes nothing at the service. */
function ask<T>(
  service: Service,
  job: EngineJob,
  patience: Patience,
  request: LaidRequest,
  readAnswer: (json: unknown) => T,
): Promise<T> {
  return patience.retry(async () => readAnswer(await send(service, job, request)));
}

/** One exchange with the current credentials; one more if they have been replaced meanwhile. */
async function send(service: Service, job: EngineJob, request: LaidRequest): Promise<unknown> {
  const used = await service.tools.findAccess();
  try {
    const answer = await sendWith(service, job, request, used);
    service.isRefused = false;
    return answer;
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error;
    const current = await service.tools.findAccess();
    if (current.secret !== used.secret || current.client !== used.client)
      return sendWith(service, job, request, current);
    if (!service.isRefused) service.tools.reportRefusal(error.message);
    service.isRefused = true;
    throw error;
  }
}

async function sendWith(
  { maker, access, tools }: Service,
  { signal }: EngineJob,
  request: LaidRequest,
  current: ServiceAccess,
): Promise<unknown> {
  const json = await exchange(access.url, requestOf(maker, current, request), {
    waitMs: tools.times.answer,
    // Base64 with a few escapes, and what else the service reports
    mostBytes: Math.ceil(tools.maxFileBytes * 1.5) + 256 * 1024,
    signal,
    finalStatuses: maker.finalStatuses ?? [],
    receive: (outer, work) => tools.receive(outer, work),
    hideSecrets: (text) => hideSecrets(text, [access, current]),
  });
  throwRefusal(maker, json, [access, current]);
  return json;
}

async function decode(service: Service, job: DecodeJob, patience: Patience): Promise<EngineDecode> {
  const { maker, tools } = service;
  const path = await job.bring(job.read);
  const request = await layRequest(service, job, async () =>
    maker.decode.request(await readFile(path), job.slaveSerialNumber),
  );
  const { maxFileBytes } = tools;
  const reading = { known: request.known, maxFileBytes };
  const opened = await ask(service, job, patience, request, (json) =>
    maker.decode.read(json, reading),
  );
  if (opened.images.length === 0) throw new RequestRefused('the service returned no image');
  for (const { component, bytes } of opened.images) {
    if (bytes.length > maxFileBytes) throw new RequestRefused('the image is too large');
    await writeFile(join(job.folder, `${component}.bin`), bytes);
  }
  await job.remember({ slot: opened.context, operation: null });
  patience.advance(1);
  return {
    ...unreported,
    ...opened.facts,
    name: opened.name,
    mode: opened.mode,
    components: opened.images.map(({ component }) => component),
  };
}

async function encode(service: Service, job: EncodeJob, patience: Patience): Promise<EngineEncode> {
  const { maker } = service;
  const { slot: context } = job.contexts;
  if (context === null) throw new RequestRefused(unknownContext);
  const brought = await bringImages(job);
  const sealed: SealedImage[] = [];
  for (const images of maker.encode.sealsEach ? eachAlone(brought) : [brought]) {
    const request = await layRequest(service, job, async () =>
      maker.encode.request(await readImages(images), context),
    );
    const file = await ask(service, job, patience, request, (json) => maker.encode.read(json));
    const [component = 'obd'] = images.paths.keys();
    const path = join(job.folder, `sealed-${component}`);
    await writeFile(path, file);
    sealed.push({ component, path });
    patience.advance(sealed.length / (brought.paths.size || 1));
  }
  patience.advance(1);
  const [only, ...others] = sealed;
  const facts = { name: null, correctedChecksums: 0, number: null };
  if (only !== undefined && others.length === 0) return { ...facts, path: only.path };
  return { ...facts, path: await packSealed(job, sealed), extension: '.zip' };
}

/** The refusal of a read that another engine opened, or another version of the maker's service. */
export const unknownContext = 'this engine did not open the read: decode the read file again';

interface BroughtImages {
  readonly isModified: boolean;
  readonly paths: ReadonlyMap<ComponentName, string>;
}

async function bringImages(job: EncodeJob): Promise<BroughtImages> {
  const paths = new Map<ComponentName, string>();
  const isModified = job.modified.length > 0;
  for (const { component, file } of isModified ? job.modified : job.decoded)
    paths.set(component, await job.bring(file));
  return { isModified, paths };
}

function eachAlone({ isModified, paths }: BroughtImages): readonly BroughtImages[] {
  return [...paths].map((image) => ({ isModified, paths: new Map([image]) }));
}

async function readImages({ isModified, paths }: BroughtImages): Promise<EncodedImages> {
  const images = new Map<ComponentName, Buffer>();
  for (const [component, path] of paths) {
    const bytes = await readFile(path);
    // these services seal everything, and the vehicle would get an archive
    if (isModified && recognizeArchive(bytes.subarray(0, recognizedBytes)) !== null)
      throw new RequestRefused(
        'the modified file is an archive: upload the image that it contains',
      );
    images.set(component, bytes);
  }
  return images;
}
