/** The worker's encode handler: passes the sealed read and the modified images to an engine, and stores the output. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type ComponentName } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { automaticName, encodedFileName } from '@recodery/contract/file-names';
import type { Handler, Outcome, Work } from '../operations/attempt.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { takeNextNumber } from '../organisations/device-changes.ts';
import type { EncodeAnswer } from '../engine/engine.ts';
import { newGuid } from '../config/guids.ts';
import { settleAll } from '../config/settle-all.ts';
import { getReadFile, getSlot, lockSlot, type Slot } from '../slots/slots.ts';
import { getStoredFile, insertStoredFiles, listEncodedNames } from '../slots/stored-files.ts';
import { freeName } from './free-name.ts';
import {
  type DecodeFacts,
  type EncodeRequest,
  readDecodeFacts,
  readEncodeRequest,
  toJson,
} from './outcome.ts';
import { openHeader } from './read-header.ts';
import type { RunDependencies as DecodeDependencies } from './run-decode.ts';

export interface RunDependencies extends Omit<DecodeDependencies, 'findOriginal'> {
  /** The organisation's name format for a family's encoded files. */
  getNameFormat(organisationId: OrganisationId, family: Family): Promise<string>;
}

/** The handler of every family's encode. */
export function createEncodeHandler(deps: RunDependencies): Handler {
  return async (operation, work) => {
    const request = readEncodeRequest(operation.request);
    const { organisationId, workflow } = operation;
    const slot = await getSlot(deps.db, organisationId, operation.slotGuid);
    const facts = readDecodeFacts(slot.facts);
    const file = await getReadFile(deps.db, organisationId, slot.guid);
    const { groupCode } = slot;
    using scratch = await deps.engines.openScratch();
    const filePath = join(scratch.folder, 'read');
    const outPath = join(scratch.folder, 'encoded');
    const [{ header, opener, pairKey }, images] = await settleAll([
      openHeader(deps, { organisationId, workflow, groupCode, file }),
      bringImages(deps, { operation, request, facts, folder: scratch.folder }),
      deps.storage.toFile(file.storageKey, filePath),
    ]);
    const encoded = await deps.engines.run(
      {
        kind: 'encode',
        workflow,
        filePath,
        pairKey,
        ...images,
        removed: request.removed,
        willCorrectCVN: request.willCorrectCVN,
        willSkipChecksum: request.willSkipChecksum,
        fileSalt: randomBytes(32),
        number: await takeNextNumber(deps.db, opener.slave.guid),
        time: deps.clock.now().toISOString(),
        outPath,
      },
      work.signal,
    );
    const slaveSerialNumber = header.slaveSerialNumber;
    return await storeResult(
      deps,
      { operation, work, slot, facts, slaveSerialNumber },
      encoded,
      outPath,
    );
  };
}

/** The images that the engine uses, as files in its folder. */
interface Images {
  readonly modified: readonly { readonly name: ComponentName; readonly path: string }[];
  readonly originalPath: string | null;
  readonly isOriginalFromLibrary: boolean;
  readonly reencode: boolean;
}

async function bringImages(
  deps: Pick<RunDependencies, 'db' | 'storage'>,
  encoding: {
    readonly operation: OperationRow;
    readonly request: EncodeRequest;
    readonly facts: DecodeFacts;
    readonly folder: string;
  },
): Promise<Images> {
  const { operation, request, facts, folder } = encoding;
  const bring = async (fileGuid: string, name: string): Promise<string> => {
    const file = await getStoredFile(deps.db, operation.organisationId, fileGuid);
    const path = join(folder, name);
    await deps.storage.toFile(file.storageKey, path);
    return path;
  };
  const modified = await Promise.all(
    request.modified.map(async ({ component, fileGuid }) => ({
      name: component,
      path: await bring(fileGuid, `modified-${component}`),
    })),
  );
  // the original that Virtual Reading found is the decoded file: the read does not contain that image
  const found = facts.wasOriginalFileFound ? facts.components[0] : undefined;
  const originalGuid = request.originalFileGuid ?? found?.fileGuid ?? null;
  const originalPath = originalGuid === null ? null : await bring(originalGuid, 'original');
  const isOriginalFromLibrary = request.originalFileGuid === null && found !== undefined;
  if (request.reencode && found !== undefined && originalPath !== null) {
    const again = { name: found.component, path: originalPath };
    return { modified: [again], originalPath, isOriginalFromLibrary, reencode: false };
  }
  return { modified, originalPath, isOriginalFromLibrary, reencode: request.reencode };
}

async function storeResult(
  deps: RunDependencies,
  encoding: {
    readonly operation: OperationRow;
    readonly work: Work;
    readonly slot: Slot;
    readonly facts: DecodeFacts;
    readonly slaveSerialNumber: string;
  },
  encoded: EncodeAnswer,
  outPath: string,
): Promise<Outcome> {
  const { operation, work, slot, slaveSerialNumber } = encoding;
  const { organisationId, family } = operation;
  const storageKey = `${work.storagePrefix}encoded`;
  const [written, format] = await Promise.all([
    deps.storage.fromFile(storageKey, outPath),
    deps.getNameFormat(organisationId, family),
  ]);
  const time = deps.clock.now();
  const automatic = automaticName({
    family,
    slaveSerialNumber,
    protocolId: encoding.facts.protocolId,
    time,
  });
  const names = { automatic, readFile: slot.readFileName };
  const extension = definitionOf(family).encodedFileExtension;
  const wanted = encodedFileName(family, format, names);
  const facts = {
    kind: 'encode',
    fileGuid: newGuid(),
    size: written.size,
    sha256: written.sha256,
    correctedChecksums: encoded.checksums.filter(({ state }) => state === 'ok').length,
    warnings: [],
  } as const;
  return {
    async record(trx) {
      // only one encode of the slot finishes at a time, so that no two take the same name
      await lockSlot(trx, organisationId, slot.guid);
      const taken = await listEncodedNames(trx, organisationId, slot.guid);
      const name = freeName(wanted, extension, taken);
      await insertStoredFiles(trx, [
        {
          guid: facts.fileGuid,
          organisationId,
          slotGuid: slot.guid,
          role: 'encoded',
          component: null,
          name,
          ...written,
          storageKey,
          retentionDays: deps.retentionDays,
        },
      ]);
      return toJson({ ...facts, name });
    },
  };
}
