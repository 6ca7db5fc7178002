/**
 * Finds the keys for a stored read file: its open header, the slave that wrote it, and the pair key of slave and
 * master.
 */
import { randomBytes } from 'node:crypto';
import { checkKind, type Header, readHeader } from '@recodery/codec/families/codec';
import { longestHeader } from '@recodery/codec/container/container';
import { CodecError } from '@recodery/codec/errors';
import { type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { OrganisationId } from '../organisations/caller.ts';
import { findSlaveForRead, getPairKey, type Opener } from '../organisations/devices.ts';
import type { Db } from '../postgres/schema.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Storage } from '../storage/storage.ts';

/** The read file to open, and the group code under which its organisation opens it. */
export interface ReadFileQuestion {
  readonly organisationId: OrganisationId;
  readonly workflow: Workflow;
  readonly groupCode: string;
  readonly file: { readonly storageKey: string; readonly size: number };
}

/** What opens a read file. */
export interface OpenedHeader {
  readonly header: Header;
  readonly opener: Opener;
  /** 32 bytes; a key that opens nothing when the file's key id was never issued or is revoked. */
  readonly pairKey: Uint8Array;
}

/**
 * Reads the open header and finds what opens the file, in the order of container.md: the header's own checks, family,
 * kind, master, slave. Throws the CodecError of the first check that fails.
 */
export async function openHeader(
  deps: {
    readonly db: Db;
    readonly storage: Pick<Storage, 'get'>;
    readonly secrets: Pick<Secrets, 'getKey'>;
  },
  question: ReadFileQuestion,
): Promise<OpenedHeader> {
  const { workflow, file } = question;
  const { family, readKind } = workflowOf(workflow);
  const header = readHeader(await readStart(deps.storage, file), file.size);
  checkKind(header, family, [readKind]);
  const found = await findSlaveForRead(deps.db, question.organisationId, {
    family,
    masterSerial: header.masterDeviceSerialNumber,
    slaveSerial: header.slaveSerialNumber,
    groupCode: question.groupCode,
  });
  if (found === 'wrong-master') throw new CodecError('WRONG_MASTER_CODE');
  if (found === 'unknown-slave') throw new CodecError('TOOL_NOT_FOUND');
  if ('otherGroup' in found) throw new CodecError('TOOL_NOT_FOUND', found.otherGroup);
  const pairKey = await getPairKey(deps, found.master, found.slave, header.keyId);
  // Without a key, continue with a random one that opens nothing: the length must be checked before the authenticity.
  return { header, opener: found, pairKey: pairKey ?? randomBytes(32) };
}

/** The beginning of a stored file, as far as a header can reach. */
export async function readStart(
  storage: Pick<Storage, 'get'>,
  file: { readonly storageKey: string; readonly size: number },
): Promise<Uint8Array> {
  // an empty file has no range to request
  if (file.size === 0) return new Uint8Array();
  const end = Math.min(longestHeader, file.size) - 1;
  const pieces: Uint8Array[] = [];
  for await (const piece of await storage.get(file.storageKey, { start: 0, end })) {
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces);
}
