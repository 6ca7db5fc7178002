/**
 * Finds the keys for a stored read file: its open header, the slave that wrote it, and the pair key of slave and
 * master.
 */
import { randomBytes } from 'node:crypto';
import {
  checkKind,
  describeHeader,
  type Header,
  readHeader,
  readRawHeader,
} from '@recodery/codec/container/header';
import { isAuthentic } from '@recodery/codec/container/sealing';
import { longestHeader } from '@recodery/codec/container/container';
import { CodecError } from '@recodery/codec/errors';
import { type Family, workflowOf } from '@recodery/contract/families/registry';
import { recognizeStart, recognizedBytes } from '@recodery/contract/recognize';
import type { ReadKeys } from '../engine/built-in/built-in-engine.ts';
import type { EngineJob } from '../engine/engine.ts';
import { getPairKey, isFormerKey } from '../organisations/devices.ts';
import { findSlaveForRead } from '../organisations/openers.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { RecordedFile, VerifiedStorage } from '../storage/verified-storage.ts';

/**
 * Reads the unencrypted header and finds the keys for the file, checking in this order: the header's own checks,
 * family, kind, master, slave, key. Throws the CodecError of the first check that fails.
 */
export async function findReadKeys(
  deps: {
    readonly db: Db;
    readonly storage: Pick<VerifiedStorage, 'peek'>;
    readonly secrets: Pick<Secrets, 'getKey'>;
  },
  job: Pick<EngineJob, 'organisationId' | 'workflow' | 'groupCode' | 'read'>,
): Promise<ReadKeys> {
  const { family, readKind } = workflowOf(job.workflow);
  // unverified: an engine also gets the whole file, which is verified
  const start = await deps.storage.peek(job.read, longestHeader);
  const raw = readRawHeader(start, job.read.size);
  const header = describeHeader(raw);
  checkKind(header, family, [readKind]);
  const found = await findSlaveForRead(deps.db, job.organisationId, {
    family,
    masterSerial: header.masterDeviceSerialNumber,
    slaveSerial: header.slaveSerialNumber,
    groupCode: job.groupCode,
  });
  if (found === 'wrong-master') throw new CodecError('WRONG_MASTER_CODE');
  if (found === 'unknown-slave') throw new CodecError('TOOL_NOT_FOUND');
  if ('otherGroup' in found) throw new CodecError('TOOL_NOT_FOUND', found.otherGroup);
  const { slave, master, owner } = found;
  if (isFormerKey(slave, header.keyId)) throw new CodecError('REVOKED_KEY');
  const pairKey = await getPairKey(deps, master, slave, header.keyId);
  return {
    origin: {
      readId: header.readId,
      masterSerialNumber: header.masterDeviceSerialNumber,
      masterGuid: master.guid,
      slaveSerialNumber: header.slaveSerialNumber,
      slaveGuid: slave.guid,
      slaveOwnerGuid: owner?.guid ?? null,
      keyId: header.keyId,
    },
    isAuthentic: pairKey !== null && isAuthentic(start, raw, pairKey),
    // Without a key, continue with a random one that cannot open anything: the length must be checked before the
    // authenticity.
    pairKey: pairKey ?? randomBytes(32),
  };
}

/** Whether the keys of this portal open a file; null: it is not a read file of its family, or its devices are unknown. */
export async function isOpenedHere(
  ...asked: Parameters<typeof findReadKeys>
): Promise<boolean | null> {
  try {
    return (await findReadKeys(...asked)).isAuthentic;
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/**
 * The header of an uploaded file that is the family's own container; null for any other file, and for an invalid
 * header. `known`: its first bytes, if they were kept; a longer header is read from the storage.
 */
export async function findHeader(
  storage: Pick<VerifiedStorage, 'peek'>,
  file: RecordedFile,
  family: Family,
  known: Uint8Array = new Uint8Array(),
): Promise<Header | null> {
  try {
    if (known.length >= recognizedBytes) return headerIn(known, file, family);
  } catch (error) {
    // more bytes are needed
    if (!(error instanceof RangeError)) throw error;
  }
  return headerIn(await storage.peek(file, longestHeader), file, family);
}

function headerIn(start: Uint8Array, { size }: RecordedFile, family: Family): Header | null {
  const recognized = recognizeStart(start.subarray(0, recognizedBytes));
  if (recognized.outcome !== 'recognized' || !recognized.isContainer) return null;
  if (recognized.family !== family) return null;
  // the codec reports an invalid header by throwing
  try {
    return readHeader(start, size);
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}
