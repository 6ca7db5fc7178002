/** Finds the master device for a read file whose sender has chosen none. */
import { CodecError } from '@recodery/codec/errors';
import { readHeader } from '@recodery/codec/families/codec';
import type { Family } from '@recodery/contract/families/registry';
import { recogniseStart } from '@recodery/contract/recognise';
import type { Kysely } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import { findMaster, type Master } from '../organisations/devices.ts';
import type { Database } from '../postgres/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { readStart } from './read-header.ts';

interface Dependencies {
  readonly db: Kysely<Database>;
  readonly storage: Pick<Storage, 'get'>;
}

/**
 * The master that a file of the open container names, in any group code of the organisation; for a foreign file, the
 * first one whose engine takes foreign files. Null when there is none: the decode then reports why.
 */
export async function findMasterForFile(
  deps: Dependencies,
  organisationId: OrganisationId,
  family: Family,
  file: { readonly storageKey: string; readonly size: number },
): Promise<Master | null> {
  const start = await readStart(deps.storage, file);
  if (recogniseStart(start).outcome === 'unknown') {
    return findMasterForForeignFile(deps.db, organisationId, family);
  }
  const serialNumber = readMasterName(start, file.size);
  return serialNumber === null ? null : findMaster(deps.db, organisationId, family, serialNumber);
}

/** The master that a file names; null when its header cannot be read. */
function readMasterName(start: Uint8Array, fileSize: number): string | null {
  try {
    return readHeader(start, fileSize).masterDeviceSerialNumber;
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/** The first master of the family whose engine takes foreign files. The built-in engine takes none. */
async function findMasterForForeignFile(
  _db: Kysely<Database>,
  _organisationId: OrganisationId,
  _family: Family,
): Promise<Master | null> {
  return null;
}
