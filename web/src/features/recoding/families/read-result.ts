/** Reads the result of a decode in the family's names, which the contract declares. */
import type { DecodeView, SharedResult } from '@recodery/contract/family-routes/calls';
import type { PortalCalls } from '@recodery/contract/family-routes/portal-routes';
import { type Family, typesOf } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import type { DecodedRead, FileLink, Part } from '../decoded-read.ts';

/** What a family's page decides about its reads. */
export interface ReadOptions {
  /** Whether components are downloaded from a popup; else each has its own button, and the zip of all arrives. */
  readonly hasComponentsPopup: boolean;
  /** The components that an encode removes until the user changes it. */
  readonly startsRemoved: readonly string[];
}

/** A file of a decode result, or null if it has none. */
function fileLink(
  file: { readonly url: string; readonly name: string; readonly size?: number | null } | null,
): FileLink | null {
  return file?.url ? { name: file.name, size: file.size ?? null, url: file.url } : null;
}

/** A read with one image: its parts are the modified image, and the original where it is needed. */
function imageRead({ image, isOriginalFileNeeded, isChecksumCorrectionNeeded }: DecodeView) {
  const decodedFile = fileLink(image);
  const isOriginalNeeded = isOriginalFileNeeded || isChecksumCorrectionNeeded;
  const part = { isNeeded: true, isRemovable: false, startsRemoved: false };
  const modified = { name: 'modified', ...part, decoded: decodedFile };
  const original = { name: 'original', ...part, decoded: null };
  return {
    shape: 'image',
    decodedFile,
    arrivesByItself: true,
    parts: isOriginalNeeded ? [modified, original] : [modified],
    isReencodePossible: !isOriginalNeeded && decodedFile !== null,
  } as const;
}

/** A read with components; none of its parts is required. */
function componentsRead(
  { zip, components }: DecodeView,
  isRemovable: boolean,
  { hasComponentsPopup, startsRemoved }: ReadOptions,
) {
  const parts = components.map(
    ({ type, url, name, size }): Part => ({
      name: type,
      isNeeded: false,
      isRemovable,
      startsRemoved: startsRemoved.includes(type),
      decoded: { name, size, url },
    }),
  );
  return {
    shape: 'components',
    decodedFile: fileLink(zip),
    arrivesByItself: !hasComponentsPopup,
    parts,
    isReencodePossible: false,
  } as const;
}

/** The images that were recognized. */
function recognizedIn({ image, components }: DecodeView): DecodedRead['recognized'] {
  const own = components.map(({ type, recognition }) => ({ part: type, recognition }));
  const all = [...(image ? [{ part: null, recognition: image.recognition }] : []), ...own];
  return all.flatMap(({ part, recognition }) => (recognition ? [{ part, recognition }] : []));
}

/** Whether encodes of the family can remove components. */
function removes({ encodes }: PortalCalls): boolean {
  return encodes.some(({ call: { body } }) =>
    Object.values(body).some(({ means }) => means === 'removal'),
  );
}

/** The result of a decode of this family. @throws for any other operation */
export function readDecode(
  { family, calls }: { readonly family: Family; readonly calls: PortalCalls },
  operation: Operation,
  options: ReadOptions,
): DecodedRead {
  const { guid, asyncOperationType, startedOn, completedOn } = operation;
  const { result } = operation;
  if (asyncOperationType !== typesOf(family).decode || result === null)
    throw new Error(`${asyncOperationType} ${guid} has no decode result of this family`);
  // the type of the operation determines that of its result
  const shared = result as unknown as SharedResult;
  const view = calls.readResult(shared as never);
  // a vendor's engine does not remove components; only the portal's own makes an ID file
  const isRemovable = removes(calls) && shared.idFileURL !== null;
  return {
    operationGUID: guid,
    slotGUID: view.slotGUID,
    readFile: { name: shared.readFileName, size: shared.readFileSize },
    duration: completedOn === null ? null : Date.parse(completedOn) - Date.parse(startedOn),
    // in the order of the contract
    information: Object.entries(shared.information).map(([label, value]) => ({ label, value })),
    idFile: fileLink(
      shared.idFileURL === null ? null : { url: shared.idFileURL, name: shared.idFileName ?? '' },
    ),
    ...(view.isOneImage ? imageRead(view) : componentsRead(view, isRemovable, options)),
    isCVNCorrectionPossible: view.isCVNCorrectionPossible,
    wasOriginalFoundThroughVirtualReading: view.wasOriginalFileFoundThroughVirtualReading,
    recognized: recognizedIn(view),
    checksumRules: shared.checksumRules,
    warnings: shared.warnings,
  };
}
