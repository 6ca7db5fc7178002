/** The worker's decode handler: has the engine of the slot open the read, and stores the output. */
import { labelRead } from '@recodery/codec/families/registry';
import type { ComponentName } from '@recodery/contract/families/family';
import type { Known } from '@recodery/codec/recoding/information';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { decodedFileName, decodedStem, idFileName } from '@recodery/contract/file-names';
import { CodecError } from '@recodery/codec/errors';
import { buildIdFile } from '@recodery/codec/container/id-file';
import {
  type EngineDecode,
  type EngineJob,
  EngineRefused,
  type ReadOrigin,
  type Recognitions,
} from '../engine/engine.ts';
import type { OperationHandler, OperationOutcome } from '../operations/attempt.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { newGuid } from '../config/guids.ts';
import { DamagedFile, type RecordedFile } from '../storage/verified-storage.ts';
import { recordOrigin } from './record-origin.ts';
import { getSlot, slotDescription } from '../slots/slots.ts';
import { getStoredFile, type NewStoredFile } from '../slots/files/stored-files.ts';
import { type JobDependencies, openJob, recordFiles, type Working } from './engine-job.ts';
import { type Naming, namesOf, numbersOf } from './results/result-names.ts';
import {
  type DecodedFile,
  type DecodeFacts,
  markOf,
  readDecodeRequest,
  toJson,
} from './results/stored-result.ts';
import { commonBeginning, freeName } from './free-name.ts';
import { prepareAfterDecode } from './restore-kit.ts';
import type { OriginalQuestion } from './originals/originals.ts';

export interface RunDecodeDependencies extends JobDependencies {
  /** Searches the originals library (Virtual Reading); null: no match. */
  findOriginal(question: OriginalQuestion): Promise<RecordedFile | null>;
  /** Recognizes the images of a read that a vendor's engine decoded; nothing, if no engine can do it. */
  recognize(
    organisation: string,
    images: readonly { readonly name: ComponentName; readonly path: string }[],
    signal: AbortSignal,
  ): Promise<Recognitions>;
  /** What a file is that a vendor's engine refused as a read; null: it is not certain that no slave wrote it. */
  explain(
    organisation: string,
    path: string,
    signal: AbortSignal,
  ): Promise<'web-page' | 'image' | null>;
  /** Whether the encoded original is prepared after each decode. */
  readonly preparesRestoreKits: boolean;
}

/** The input of a running decode. */
interface Decoding extends Working {
  readonly deps: RunDecodeDependencies;
  readonly job: EngineJob;
  readonly naming: Naming;
}

/** The handler of every family's decode. */
export function createDecodeHandler(deps: RunDecodeDependencies): OperationHandler {
  return async (operation, work) => {
    const { readFileGuid, skipChecksum } = readDecodeRequest(operation.request);
    const { organisationId } = operation;
    const [slot, read] = await Promise.all([
      getSlot(deps.db, organisationId, operation.slotGuid),
      getStoredFile(deps.db, organisationId, readFileGuid),
    ]);
    using scratch = await deps.openScratch();
    const working = { operation, work, slot, read, folder: scratch.folder };
    const job = await openJob(deps, working);
    const engine = await deps.getEngine(slot.connectionGuid);
    const identify = async (origin: ReadOrigin) => {
      const record = (trx: Db) => recordOrigin(trx, slot, origin);
      // a success records it with the rest; an earlier attempt may have ended its worker, as this one may
      if (operation.attempt === 1) work.atFailure(record);
      else await deps.db.transaction().execute(record);
    };
    const { family, accountGuid, connectionGuid } = operation;
    const getNaming = () => deps.getNaming(organisationId, family, accountGuid);
    // while a vendor's engine works, which can take hours, preferences change
    const early = connectionGuid === null ? getNaming() : null;
    // its error is thrown once the engine has finished
    early?.catch(() => undefined);
    const decoded = await engine.decode({ ...job, skipChecksum, identify }).catch(async (error) => {
      throw error instanceof EngineRefused ? await explainRefused(deps, job, error) : error;
    });
    // the images of a vendor's engine are recognized once they are stored
    if (decoded.recognitions !== null) work.leaveEngine();
    const naming = await (early ?? getNaming());
    // a vendor's portal may have a double where this one has a connection
    const marked = { ...slot, isDouble: slot.isDouble || decoded.isDouble === true };
    return await storeResult({ ...working, slot: marked, deps, job, naming }, decoded);
  };
}

/** What a vendor's engine has refused, if it is certain that no slave wrote it; else the refusal. */
async function explainRefused(
  deps: RunDecodeDependencies,
  job: EngineJob,
  refused: EngineRefused,
): Promise<EngineRefused | CodecError> {
  const path = await job.bring(job.read);
  const kind = await deps.explain(job.organisationId, path, job.signal);
  return kind === null ? refused : new CodecError('FILE_NOT_RECOGNIZED', kind);
}

/** Stores the engine's output; the rows are written when the operation ends. */
async function storeResult(decoding: Decoding, decoded: EngineDecode): Promise<OperationOutcome> {
  const { deps, operation, slot, read, naming } = decoding;
  const { origin, protocol } = decoded;
  const names = namesOf(deps.clock, operation, slot, naming, {
    slaveSerialNumber: origin?.slaveSerialNumber ?? slot.slaveSerialNumber,
    protocolId: protocol?.id ?? null,
    vin: decoded.information.vin,
    ...numbersOf(decoded.information, []),
    name: decoded.name ?? read.name,
  });
  // the numbers in the images are known only once they are stored
  const name = decodedStem(naming.decodedFormat, names);
  const original =
    decoded.virtualReading === null ? null : await deps.findOriginal(decoded.virtualReading);
  const known = knownOf(decoding, decoded);
  const [images, id] = await Promise.all([
    original === null
      ? storeImages(decoding, decoded, name)
      : storeOriginal(decoding, original, { name, protocol: protocol?.name ?? '' }),
    origin === null
      ? null
      : storeIdFile(decoding, origin, { name, information: labelRead(operation.workflow, known) }),
  ]);
  const recognitions = decoded.recognitions ?? (await recognize(decoding, decoded));
  const numbers = numbersOf(decoded.information, Object.values(recognitions));
  const wanted = decodedStem(naming.decodedFormat, { ...names, ...numbers });
  return {
    devices: {
      masterGuid: origin?.masterGuid ?? slot.masterDeviceGuid,
      slaveGuid: origin?.slaveGuid ?? slot.slaveDeviceGuid,
    },
    namesLike: commonBeginning(wanted),
    async record(trx, { masterGuid, slaveGuid, usage, recentNames }) {
      const rename = renaming(name, freeName(wanted, '', recentNames));
      const facts = describeFacts(decoding, decoded, {
        name: rename({ name }).name,
        known,
        images: images.map(rename),
        recognitions,
        id: id && rename(id),
        original,
      });
      const described = slotDescription(trx, operation.organisationId, slot.guid, {
        masterDeviceGuid: masterGuid,
        slaveDeviceGuid: slaveGuid,
        slaveSerialNumber: origin?.slaveSerialNumber ?? slot.slaveSerialNumber,
        slaveOwnerGuid: origin?.slaveOwnerGuid ?? slot.slaveOwnerGuid,
        keyId: origin?.keyId ?? null,
        mode: decoded.mode,
        protocolId: protocol?.id ?? null,
        vin: decoded.information.vin,
        facts: toJson(facts),
        isDouble: slot.isDouble,
      });
      const files = id === null ? images : [...images, id];
      const recorded = await recordFiles(trx, deps, operation, usage, files.map(rename));
      const kit = deps.preparesRestoreKits ? prepareAfterDecode(trx, slot, facts) : [];
      return { result: toJson(facts), writes: [described, ...recorded, ...kit] };
    },
  };
}

/** What the images of a vendor's decode are. They must be stored: an engine may change what it gets. */
function recognize(
  { deps, operation, work, folder }: Decoding,
  { components }: EngineDecode,
): Promise<Recognitions> {
  const images = components.map((name) => ({ name, path: join(folder, `${name}.bin`) }));
  return deps.recognize(operation.organisationId, images, work.signal);
}

/** Gives the files of a read another name: reads that were decoded in the same second differ by it. */
function renaming(name: string, free: string) {
  return <T extends { readonly name: string }>(file: T): T =>
    file.name.startsWith(name) ? { ...file, name: `${free}${file.name.slice(name.length)}` } : file;
}

/** Facts from the read, and facts that only the portal knows. */
function knownOf({ slot, job }: Decoding, decoded: EngineDecode): Known {
  const { information, isChecksumRight, isRecognised, mode, protocol } = decoded;
  return {
    information,
    protocolId: protocol?.id ?? null,
    protocolName: protocol?.name ?? null,
    mode,
    isChecksumRight,
    isRecognised,
    customerCode: job.customerCode,
    groupCode: slot.groupCode,
  };
}

/** The values that all files of this attempt share. */
function newFile(
  { deps, operation, slot }: Decoding,
  parts: Pick<NewStoredFile, 'role' | 'component' | 'name' | 'size' | 'sha256' | 'storageKey'>,
): NewStoredFile {
  return {
    guid: newGuid(),
    organisationId: operation.organisationId,
    slotGuid: slot.guid,
    retentionDays: deps.retentionDays,
    ...parts,
  };
}

function storeImages(
  decoding: Decoding,
  decoded: EngineDecode,
  name: string,
): Promise<NewStoredFile[]> {
  const { deps, work, folder } = decoding;
  return Promise.all(
    decoded.components.map(async (component) => {
      const storageKey = `${work.storagePrefix}${component}.bin`;
      const path = join(folder, `${component}.bin`);
      const written = await deps.storage.fromFile(storageKey, path);
      return newFile(decoding, {
        role: 'decoded',
        component,
        name: decodedFileName(name, component),
        storageKey,
        ...written,
      });
    }),
  );
}

/**
 * Copies what Virtual Reading found: the slot's files are deleted with the slot, the library's are not.
 * @throws {CodecError} VR_LOOKUP_FAILED when the library has lost the image, or it differs from the one that was added
 */
async function storeOriginal(
  decoding: Decoding,
  original: RecordedFile,
  { name, protocol }: { readonly name: string; readonly protocol: string },
): Promise<NewStoredFile[]> {
  const { deps, work } = decoding;
  const storageKey = `${work.storagePrefix}obd.bin`;
  const copy = async () => deps.storage.put(storageKey, await deps.storage.get(original));
  const written = await copy().catch((error: unknown) => {
    // anything else is a storage error, and temporary
    throw error instanceof DamagedFile ? new CodecError('VR_LOOKUP_FAILED', protocol) : error;
  });
  const image = { role: 'decoded', component: 'obd', storageKey, ...written } as const;
  return [newFile(decoding, { ...image, name: decodedFileName(name, 'obd') })];
}

async function storeIdFile(
  decoding: Decoding,
  origin: ReadOrigin,
  facts: {
    readonly name: string;
    readonly information: Readonly<Record<string, string | null>>;
  },
): Promise<NewStoredFile> {
  const { deps, work, job } = decoding;
  const { keyId, key } = await deps.secrets.getCurrentKey('id-file');
  const bytes = buildIdFile(
    facts.information,
    {
      readId: origin.readId,
      masterCode: origin.masterSerialNumber,
      slaveSerial: origin.slaveSerialNumber,
      organisation: job.customerCode,
      keyId,
    },
    key,
  );
  const storageKey = `${work.storagePrefix}id.json`;
  const written = await deps.storage.put(storageKey, Readable.from([bytes]));
  const name = idFileName(facts.name);
  return newFile(decoding, { role: 'id', component: null, name, storageKey, ...written });
}

function describeFacts(
  { slot, read }: Decoding,
  decoded: EngineDecode,
  stored: {
    readonly name: string;
    readonly known: Known;
    readonly images: readonly NewStoredFile[];
    readonly recognitions: Recognitions;
    readonly id: NewStoredFile | null;
    readonly original: RecordedFile | null;
  },
): DecodeFacts {
  const { virtualReading } = decoded;
  return {
    kind: 'decode',
    name: stored.name,
    readFileName: slot.readFileName,
    ...stored.known,
    readFileSize: read.size,
    readId: decoded.origin?.readId ?? null,
    isOneImage: decoded.isImageMissing || decoded.components.includes('obd'),
    components: stored.images.map((image) => describeImage(image, stored.recognitions)),
    idFile: stored.id && { fileGuid: stored.id.guid, name: stored.id.name },
    isOriginalFileNeeded: decoded.isImageMissing && stored.original === null,
    wasOriginalFileFound: stored.original !== null,
    isChecksumCorrectionNeeded: decoded.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: decoded.isCVNCorrectionPossible,
    identification:
      virtualReading === null
        ? null
        : { hardware: virtualReading.hardware, software: virtualReading.software },
    checksumRules: decoded.checksumRules,
    wrongChecksums: decoded.wrongChecksums,
    warnings: decoded.warnings,
    ...markOf(slot),
  };
}

function describeImage(
  { component, guid, name, size }: NewStoredFile,
  recognitions: Recognitions,
): DecodedFile {
  if (component === null) throw new Error('an image without its component');
  return { component, fileGuid: guid, name, size, recognition: recognitions[component] ?? null };
}
