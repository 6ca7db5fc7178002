/** The worker's decode handler: finds the keys for the read, has an engine open it, and stores the output. */
import { labelRead } from '@recodery/codec/families/registry';
import type { Known } from '@recodery/codec/families/information';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { automaticName, decodedFileName, idFileName } from '@recodery/contract/file-names';
import { CodecError } from '@recodery/codec/errors';
import { idFile } from '@recodery/codec/container/id-file';
import type { Handler, Outcome, Work } from '../operations/attempt.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { findOrganisation } from '../organisations/organisations.ts';
import type { Clock } from '../config/clock.ts';
import type { DecodeAnswer, EnginePool } from '../engine/engine.ts';
import { newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import { settleAll } from '../config/settle-all.ts';
import { NothingStored, type Storage } from '../storage/storage.ts';
import { describeRead, getSlot, type Slot } from '../slots/slots.ts';
import {
  getStoredFile,
  insertStoredFiles,
  type NewStoredFile,
  type StoredFile,
} from '../slots/stored-files.ts';
import { type DecodedFile, type DecodeFacts, readDecodeRequest, toJson } from './outcome.ts';
import type { Original, OriginalQuestion } from './originals/originals.ts';
import { type OpenedHeader, openHeader } from './read-header.ts';

/** An original found in the library. */
type FoundOriginal = Pick<Original, 'storageKey' | 'sha256'>;

export interface RunDependencies {
  readonly db: Db;
  readonly storage: Storage;
  readonly secrets: Pick<Secrets, 'getKey' | 'getCurrentKey'>;
  readonly engines: Pick<EnginePool, 'run' | 'openScratch'>;
  readonly clock: Clock;
  /** Days that files are kept. */
  readonly retentionDays: number;
  /** Searches the originals library (Virtual Reading); null: no match. */
  findOriginal(question: OriginalQuestion): Promise<FoundOriginal | null>;
}

/** The input of a running decode. */
interface Decoding {
  readonly deps: RunDependencies;
  readonly operation: OperationRow;
  readonly work: Work;
  readonly slot: Slot;
  readonly file: StoredFile;
  readonly opened: OpenedHeader;
  /** Of the organisation; empty when it has none. */
  readonly customerCode: string;
}

/** The handler of every family's decode. */
export function createDecodeHandler(deps: RunDependencies): Handler {
  return async (operation, work) => {
    const request = readDecodeRequest(operation.request);
    const { organisationId, workflow } = operation;
    const [slot, file] = await Promise.all([
      getSlot(deps.db, organisationId, operation.slotGuid),
      getStoredFile(deps.db, organisationId, request.readFileGuid),
    ]);
    const { skipChecksum } = request;
    const { groupCode } = slot;
    using scratch = await deps.engines.openScratch();
    const filePath = join(scratch.folder, 'read');
    const outFolder = scratch.folder;
    const [opened, organisation] = await settleAll([
      openHeader(deps, { organisationId, workflow, groupCode, file }),
      findOrganisation(deps.db, organisationId),
      deps.storage.toFile(file.storageKey, filePath),
    ]);
    const { pairKey } = opened;
    const decoded = await deps.engines.run(
      { kind: 'decode', workflow, filePath, pairKey, skipChecksum, outFolder },
      work.signal,
    );
    const customerCode = organisation?.customerCode ?? '';
    const decoding = { deps, operation, work, slot, file, opened, customerCode };
    return await storeResult(decoding, decoded, outFolder);
  };
}

/** Stores the engine's output; the rows are written when the operation ends. */
async function storeResult(
  decoding: Decoding,
  decoded: DecodeAnswer,
  outFolder: string,
): Promise<Outcome> {
  const { deps, operation, slot, opened } = decoding;
  const { header, opener } = opened;
  const name = automaticName({
    family: operation.family,
    slaveSerialNumber: header.slaveSerialNumber,
    protocolId: decoded.protocol.id,
    time: deps.clock.now(),
  });
  const original =
    decoded.virtualReading === null ? null : await deps.findOriginal(decoded.virtualReading);
  const known = knownOf(decoding, decoded);
  const [images, id] = await Promise.all([
    original === null
      ? storeImages(decoding, decoded, { name, outFolder })
      : storeOriginal(decoding, original, { name, protocol: decoded.protocol.name }),
    storeIdFile(decoding, { name, information: labelRead(operation.workflow, known) }),
  ]);
  const facts = describeFacts(decoding, decoded, { name, known, images, id, original });
  return {
    async record(trx) {
      await insertStoredFiles(trx, [...images, id]);
      await describeRead(trx, operation.organisationId, slot.guid, {
        masterDeviceGuid: opener.master.guid,
        slaveDeviceGuid: opener.slave.guid,
        slaveSerialNumber: header.slaveSerialNumber,
        slaveOwnerGuid: opener.owner?.guid ?? null,
        mode: decoded.mode,
        protocolId: decoded.protocol.id,
        vin: decoded.information.vin,
        facts: toJson(facts),
      });
      return toJson(facts);
    },
  };
}

/** Facts from the read, and facts that only the portal knows. */
function knownOf({ slot, customerCode }: Decoding, decoded: DecodeAnswer): Known {
  const { information, isChecksumRight, isRecognised, mode, protocol } = decoded;
  return {
    information,
    protocolId: protocol.id,
    protocolName: protocol.name,
    mode,
    isChecksumRight,
    isRecognised,
    customerCode,
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
  decoded: DecodeAnswer,
  { name, outFolder }: { readonly name: string; readonly outFolder: string },
): Promise<NewStoredFile[]> {
  const { deps, work } = decoding;
  return Promise.all(
    decoded.components.map(async (component) => {
      const storageKey = `${work.storagePrefix}${component.name}.bin`;
      const path = join(outFolder, `${component.name}.bin`);
      const written = await deps.storage.fromFile(storageKey, path);
      return newFile(decoding, {
        role: 'decoded',
        component: component.name,
        name: decodedFileName(name, component.name),
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
  original: FoundOriginal,
  { name, protocol }: { readonly name: string; readonly protocol: string },
): Promise<NewStoredFile[]> {
  const { deps, work } = decoding;
  const storageKey = `${work.storagePrefix}obd.bin`;
  const bytes = await deps.storage.get(original.storageKey).catch((error: unknown) => {
    // anything else is a storage error, and temporary
    throw error instanceof NothingStored ? new CodecError('VR_LOOKUP_FAILED', protocol) : error;
  });
  const written = await deps.storage.put(storageKey, bytes);
  if (written.sha256 !== original.sha256) throw new CodecError('VR_LOOKUP_FAILED', protocol);
  const image = { role: 'decoded', component: 'obd', storageKey, ...written } as const;
  return [newFile(decoding, { ...image, name: decodedFileName(name, 'obd') })];
}

async function storeIdFile(
  decoding: Decoding,
  facts: {
    readonly name: string;
    readonly information: Readonly<Record<string, string | null>>;
  },
): Promise<NewStoredFile> {
  const { deps, work, opened, customerCode } = decoding;
  const { header } = opened;
  const { keyId, key } = await deps.secrets.getCurrentKey('id-file');
  const bytes = idFile(
    facts.information,
    {
      readId: header.readId,
      masterCode: header.masterDeviceSerialNumber,
      slaveSerial: header.slaveSerialNumber,
      organisation: customerCode,
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
  { slot, file, opened }: Decoding,
  decoded: DecodeAnswer,
  laid: {
    readonly name: string;
    readonly known: Known;
    readonly images: readonly NewStoredFile[];
    readonly id: NewStoredFile;
    readonly original: FoundOriginal | null;
  },
): DecodeFacts {
  const { virtualReading } = decoded;
  return {
    kind: 'decode',
    name: laid.name,
    readFileName: slot.readFileName,
    ...laid.known,
    readFileSize: file.size,
    readId: opened.header.readId,
    isOneImage: decoded.isImageMissing || decoded.components.some(({ name }) => name === 'obd'),
    components: laid.images.map(describeImage),
    idFile: { fileGuid: laid.id.guid, name: laid.id.name },
    isOriginalFileNeeded: decoded.isImageMissing && laid.original === null,
    wasOriginalFileFound: laid.original !== null,
    isChecksumCorrectionNeeded: decoded.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: decoded.isCVNCorrectionPossible,
    identification:
      virtualReading === null
        ? null
        : { hardware: virtualReading.hardware, software: virtualReading.software },
    checksumRules: decoded.checksumRules,
    warnings: decoded.warnings,
  };
}

function describeImage({ component, guid, name, size }: NewStoredFile): DecodedFile {
  if (component === null) throw new Error('an image without its component');
  return { component, fileGuid: guid, name, size };
}
