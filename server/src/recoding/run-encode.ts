/** The worker's encode handler: passes the read and the modified images to the slot's engine, and stores the output. */
import { cutToFit, encodedFileName, makeFileNameSafe } from '@recodery/contract/file-names';
import { definitionOf } from '@recodery/contract/families/registry';
import { doubleSuffix } from '@recodery/contract/features/demo-doubles';
import type { Correction } from '@recodery/contract/results';
import { newGuid } from '../config/guids.ts';
import type { EncodeJob, EngineEncode, EngineImage, EngineJob } from '../engine/engine.ts';
import type { OperationHandler, OperationOutcome } from '../operations/attempt.ts';
import type { EncodedJob, OpenReceipt } from '../receipts/issue.ts';
import { getSlot } from '../slots/slots.ts';
import {
  listPastFiles,
  listStoredFiles,
  type PastFile,
  type StoredFile,
} from '../slots/files/stored-files.ts';
import { listFilesEver } from '../slots/files/deliveries.ts';
import { NothingStored } from '../storage/storage.ts';
import { type CorrectDependencies, correctImages } from './images/correct-images.ts';
import { freeName } from './free-name.ts';
import {
  describePlain,
  isKitOf,
  type StoredPlain,
  storePlainImages,
} from './sealing/plain-images.ts';
import { deleteRestoreKits, restoreSuffix } from './restore-kit.ts';
import { imagesOfRead, originalOf } from './images/read-images.ts';
import { type JobDependencies, openJob, recordFiles, type Working } from './engine-job.ts';
import { type Naming, namesOf, numbersOf } from './results/result-names.ts';
import {
  type DecodeFacts,
  type EncodeFacts,
  type EncodeRequest,
  markOf,
  readDecodeFacts,
  readEncodeRequest,
  readChecksumsOf,
  toJson,
} from './results/stored-result.ts';

export interface EncodeDependencies extends JobDependencies, CorrectDependencies {
  /** Opens the receipt of an encode. */
  openReceipt(): Promise<OpenReceipt>;
}

/** The handler of every family's encode. */
export function createEncodeHandler(deps: EncodeDependencies): OperationHandler {
  return async (operation, work) => {
    const request = readEncodeRequest(operation.request);
    const { organisationId } = operation;
    const slot = await getSlot(deps.db, organisationId, operation.slotGuid);
    const facts = readDecodeFacts(slot.facts);
    // most services seal plain images without the read: only an engine that opens a deleted file fails
    const list = request.sealsAgain === undefined ? listStoredFiles : listFilesEver;
    const files = await list(deps.db, organisationId, slot.guid);
    const read = files.find(({ role }) => role === 'read');
    if (read === undefined) throw new NothingStored(`the read file of ${slot.guid}`);
    using scratch = await deps.openScratch();
    const working = { operation, work, slot, read, folder: scratch.folder };
    const job = await openJob(deps, working);
    const engine = await deps.getEngine(slot.connectionGuid);
    const described = describeJob(job, request, facts, files);
    const { corrections, corrected } =
      request.sealsAgain === undefined && request.willCorrectChecksums
        ? await correctImages(deps, described, slot, imagesOf(files, imagesOfRead(facts)))
        : { corrections: request.sealsAgain?.corrections ?? [], corrected: described };
    // before the maker's service seals the file: the slave must not refuse it earlier than the result states
    const askedOn = deps.clock.now();
    const encoded = await engine.encode(corrected);
    work.leaveEngine();
    const plain = await storePlainImages(deps, working, request, corrected);
    const encoding = { ...working, facts, request, corrections, askedOn, plain };
    return await storeResult(deps, encoding, encoded);
  };
}

function fileOf(files: readonly StoredFile[], wanted: string): StoredFile {
  const file = files.find(({ guid }) => guid === wanted);
  if (file === undefined) throw new NothingStored(wanted);
  return file;
}

function imagesOf(
  files: readonly StoredFile[],
  images: EncodeRequest['modified'],
): readonly EngineImage[] {
  return images.map(({ component, fileGuid }) => ({ component, file: fileOf(files, fileGuid) }));
}

/** What to encode, with those of the slot's files that the request and the decode name. */
function describeJob(
  job: EngineJob,
  request: EncodeRequest,
  facts: DecodeFacts,
  files: readonly StoredFile[],
): EncodeJob {
  const findAll = (images: EncodeRequest['modified']) => imagesOf(files, images);
  const { sealsAgain } = request;
  const isModified = request.modified.length > 0;
  const [modified, decoded] =
    sealsAgain === undefined
      ? [request.modified, facts.components]
      : [sealsAgain.plain, sealsAgain.plain];
  const originalGuid = originalOf(facts, request.originalFileGuid);
  const isFromLibrary = request.originalFileGuid === null;
  return {
    ...job,
    mode: facts.mode,
    modified: isModified ? findAll(modified) : [],
    decoded: isModified ? [] : findAll(decoded),
    original: originalGuid === null ? null : { file: fileOf(files, originalGuid), isFromLibrary },
    removed: request.removed,
    reencode: request.reencode,
    willCorrectCVN: request.willCorrectCVN,
    isCVNCorrectionPossible: facts.isCVNCorrectionPossible,
    willSkipChecksum: request.willSkipChecksum,
  };
}

interface Encoding extends Working {
  readonly request: EncodeRequest;
  readonly facts: DecodeFacts;
  readonly corrections: readonly Correction[];
  /** Before the engine began. */
  readonly askedOn: Date;
  /** The images to seal it from again. */
  readonly plain: readonly StoredPlain[];
}

async function storeResult(
  deps: EncodeDependencies,
  encoding: Encoding,
  encoded: EngineEncode,
): Promise<OperationOutcome> {
  const { operation, work, slot } = encoding;
  const { organisationId, family } = operation;
  const storageKey = `${work.storagePrefix}encoded`;
  const [written, naming, receipt] = await Promise.all([
    deps.storage.fromFile(storageKey, encoded.path),
    // a restore kit that no user asked for is named like the rest of its job
    deps.getNaming(organisationId, family, operation.accountGuid ?? slot.accountGuid),
    deps.openReceipt(),
  ]);
  const { wanted, end } = nameResult(deps, encoding, encoded, naming);
  const { sealsAgain } = encoding.request;
  const isKit = isKitOf(operation, encoding.request);
  const facts = {
    kind: 'encode',
    fileGuid: newGuid(),
    size: written.size,
    sha256: written.sha256,
    receiptCode: receipt.code,
    correctedChecksums: encoded.correctedChecksums,
    ...(encoding.corrections.length === 0 ? {} : { corrections: encoding.corrections }),
    warnings: encoding.facts.warnings,
    ...markOf(slot),
    ...(definitionOf(family).sealing ? { sealedOn: encoding.askedOn.toISOString() } : {}),
  } as const;
  return {
    // the new file changes the row of its slave
    devices: { slaveGuid: slot.slaveDeviceGuid, masterGuid: null },
    async record(trx, { usage, now }) {
      const past = await listPastFiles(trx, organisationId, slot.guid);
      const taken = past.filter(({ role }) => role === 'encoded').map((file) => file.name);
      const name = isKit ? wanted : freeName(wanted, end, taken);
      // the usage was read before
      const freed = isKit ? await deleteRestoreKits(trx, organisationId, past) : 0;
      const left = { ...usage, usedBytes: usage.usedBytes - freed };
      const recorded = await recordFiles(trx, deps, operation, left, [
        {
          guid: facts.fileGuid,
          organisationId,
          slotGuid: slot.guid,
          role: isKit ? 'restore' : 'encoded',
          component: null,
          name,
          ...written,
          storageKey,
          number: encoded.number,
          firstDeliveryGuid: sealsAgain?.fileGuid ?? null,
          retentionDays: deps.retentionDays,
        },
        ...describePlain(deps, encoding, { name, fileGuid: facts.fileGuid }),
      ]);
      const issued = await receipt.issue(trx, {
        ...describeEncode(encoding, facts, past),
        encodedOn: now,
      });
      return { result: toJson({ ...facts, name }), writes: [...recorded, issued] };
    },
  };
}

/** The name that the encoded file should have, and its extension. */
function nameResult(
  deps: EncodeDependencies,
  { operation, slot, facts, request }: Encoding,
  encoded: EngineEncode,
  naming: Naming,
) {
  const { family } = operation;
  const names = namesOf(deps.clock, operation, slot, naming, {
    slaveSerialNumber: slot.slaveSerialNumber,
    protocolId: facts.protocolId,
    vin: slot.vin,
    ...numbersOf(
      facts.information,
      facts.components.map(({ recognition }) => recognition ?? null),
    ),
    name: encoded.name ?? facts.name,
  });
  const own = definitionOf(family).encodedFileExtension;
  // the programs of a vendor's devices may need the vendor's extension
  const extension = encoded.extension ?? /\.[A-Za-z0-9]{1,8}$/.exec(encoded.name ?? '')?.[0] ?? own;
  const stem = encodedFileName(family, naming.encodedFormat, names).slice(0, -own.length);
  const kit = isKitOf(operation, request) ? restoreSuffix : '';
  // a long name loses its own end, never what it ends with
  const end = `${kit}${slot.isDouble ? doubleSuffix : ''}${extension}`;
  const wanted = makeFileNameSafe(cutToFit(stem, end));
  return { wanted, end };
}

/** What the receipt is about: the decoded images, those that the user uploaded, and the encoded file. */
function describeEncode(
  { operation, slot, request, facts, corrections }: Encoding,
  { fileGuid, size, sha256 }: Pick<EncodeFacts, 'fileGuid' | 'size' | 'sha256'>,
  past: readonly PastFile[],
): Omit<EncodedJob, 'encodedOn'> {
  const { guid, organisationId, family } = operation;
  const uploaded = request.modified.map((one) => one.fileGuid);
  const original = request.originalFileGuid === null ? [] : [request.originalFileGuid];
  const sources = [...facts.components.map((one) => one.fileGuid), ...uploaded, ...original];
  return {
    operationGuid: guid,
    organisationId,
    slotGuid: slot.guid,
    family,
    slaveSerialNumber: slot.slaveSerialNumber,
    protocolId: facts.protocolId,
    readChecksums: readChecksumsOf(toJson(facts)),
    // in this order; deleted ones too
    sources: sources.flatMap((source) => past.find((file) => file.guid === source) ?? []),
    corrections,
    isDouble: slot.isDouble,
    encodedFile: { guid: fileGuid, size, sha256 },
  };
}
