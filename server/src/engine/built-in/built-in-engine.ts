/** The built-in engine: finds the keys of a sealed read, and has the codec work in a process of the pool. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CodecError, isForeign } from '@recodery/codec/errors';
import type { Clock } from '../../config/clock.ts';
import { settleAll } from '../../config/settle-all.ts';
import type {
  DecodeJob,
  EncodeJob,
  Engine,
  EngineDecode,
  EngineEncode,
  EngineJob,
  ReadOrigin,
  Recognitions,
} from '../engine.ts';
import type { EnginePool } from './pool.ts';
import type { RecognizeAnswer } from './task.ts';

/** The keys that open a read. `pairKey` has 32 bytes. */
export interface ReadKeys {
  readonly origin: ReadOrigin;
  /** Whether the header's MAC proves the origin; the rest of the file has not been looked at yet. */
  readonly isAuthentic: boolean;
  readonly pairKey: Uint8Array;
}

export interface BuiltInDependencies {
  readonly pool: Pick<EnginePool, 'run'>;
  readonly clock: Clock;
  /** Reads the header of a job's read and finds its keys. Throws the CodecError of the first check that fails. */
  findReadKeys(job: EngineJob): Promise<ReadKeys>;
  /** The next number of an encoded file for a slave. Throws the CodecError TOOL_NOT_FOUND if it was just removed. */
  takeNextNumber(slaveGuid: string): Promise<number>;
}

/** The recognitions of an engine's answer, by their components. */
export function recognitionsOf(images: RecognizeAnswer['images']): Recognitions {
  return Object.fromEntries(
    images.flatMap(({ name, recognition }) => (recognition === null ? [] : [[name, recognition]])),
  );
}

/** The engine that master devices use unless they name a connection. */
export function createBuiltInEngine(deps: BuiltInDependencies): Engine {
  return {
    decode: (job) => decode(deps, job),
    encode: (job) => encode(deps, job),
  };
}

/** The keys of a read, or the fault of a file in no container. */
function findKeysOrFault(
  deps: BuiltInDependencies,
  job: EngineJob,
): Promise<ReadKeys | CodecError> {
  return deps.findReadKeys(job).catch((error: unknown) => {
    if (error instanceof CodecError && isForeign(error)) return error;
    throw error;
  });
}

async function decode(deps: BuiltInDependencies, job: DecodeJob): Promise<EngineDecode> {
  const { workflow, skipChecksum, folder, signal } = job;
  // damage of a file comes before what its bytes seem to say
  const [filePath, keys] = await settleAll([job.bring(job.read), findKeysOrFault(deps, job)]);
  // no key opens a file in no container, but an engine finds out what it is
  const pairKey = keys instanceof CodecError ? randomBytes(32) : keys.pairKey;
  if (!(keys instanceof CodecError) && keys.isAuthentic) await job.identify(keys.origin);
  const work = deps.pool.run(
    { kind: 'decode', workflow, filePath, pairKey, skipChecksum, outFolder: folder },
    job.organisationId,
    signal,
  );
  if (keys instanceof CodecError) throw await explainFault(work, keys, signal);
  const { components, ...decoded } = await work;
  const { origin } = keys;
  return {
    ...decoded,
    name: null,
    origin,
    components: components.map(({ name }) => name),
    recognitions: recognitionsOf(components),
  };
}

/** The fault of a file in no container, as the engine found it: one that crashes, or is too slow, explains nothing. */
async function explainFault(
  work: Promise<unknown>,
  fault: CodecError,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CodecError) return error;
  }
  return fault;
}

async function encode(deps: BuiltInDependencies, job: EncodeJob): Promise<EngineEncode> {
  const { workflow, removed, willCorrectCVN, willSkipChecksum, folder, signal } = job;
  const path = join(folder, 'encoded');
  const [filePath, images, { origin, pairKey }] = await settleAll([
    job.bring(job.read),
    bringImages(job),
    deps.findReadKeys(job),
  ]);
  const number = await deps.takeNextNumber(origin.slaveGuid);
  const { correctedChecksums } = await deps.pool.run(
    {
      kind: 'encode',
      workflow,
      filePath,
      pairKey,
      ...images,
      removed,
      willCorrectCVN,
      willSkipChecksum,
      fileSalt: randomBytes(32),
      number,
      time: deps.clock.now().toISOString(),
      outPath: path,
    },
    job.organisationId,
    signal,
  );
  return { path, name: null, correctedChecksums, number };
}

/** The images as files in the job's folder. */
async function bringImages(job: EncodeJob) {
  const { original, reencode } = job;
  const modified = await Promise.all(
    job.modified.map(async ({ component, file }) => ({
      name: component,
      path: await job.bring(file),
    })),
  );
  const originalPath = original === null ? null : await job.bring(original.file);
  const isOriginalFromLibrary = original?.isFromLibrary === true;
  // the read does not contain the image that Virtual Reading found: it is encoded like a modified one
  if (reencode && isOriginalFromLibrary && originalPath !== null) {
    const again = { name: 'obd', path: originalPath } as const;
    return { modified: [again], originalPath, isOriginalFromLibrary, reencode: false };
  }
  return { modified, originalPath, isOriginalFromLibrary, reencode };
}
