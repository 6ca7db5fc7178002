/** The files of trays in their states, for the tests of rows. */
import type { EncodeDraft } from '@recodery/contract/features/slots';
import type { Tray, TrayFile } from '@recodery/contract/features/trays';
import { guid, kessv2Result, succeeded } from '../recoding/results.ts';

const changes = { bytes: 2, regions: 1, size: 4096, fraction: 0.1, spans: [] };
const emptyDraft: EncodeDraft = {
  files: [],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
};
export const modified = {
  part: 'modified',
  fileGUID: guid(80),
  name: 'tune.bin',
  size: 4096,
  changes,
};
export const draft = { ...emptyDraft, files: [modified] };

export function fileOf(differs: Partial<TrayFile> = {}): TrayFile {
  return {
    guid: guid(1),
    name: 'read.k2r',
    size: 4200,
    sha256: 'a'.repeat(64),
    workflow: 'kessv2',
    error: null,
    slotGUID: null,
    decode: null,
    encode: null,
    images: [],
    draft: null,
    ...differs,
  };
}

export const decoded = (differs: Partial<TrayFile> = {}): TrayFile =>
  fileOf({
    slotGUID: guid(50),
    decode: succeeded(kessv2Result),
    images: [{ name: 'read.bin', size: 4096, sha256: 'b'.repeat(64) }],
    draft: emptyDraft,
    ...differs,
  });

export const encodeResult = {
  name: 'read.mod',
  encodedFileURL: '/api/files/x',
  fileGUID: guid(90),
  size: 4200,
  sha256: 'c'.repeat(64),
  correctedChecksums: 1,
  warnings: [],
  receiptCode: null,
};
export const asEncode = { asyncOperationType: 'KESSv2Encode', guid: guid(30) } as const;

export const trayOf = (...files: TrayFile[]): Tray => ({
  guid: guid(9),
  name: null,
  createdOn: '2026-11-21T10:00:00.000Z',
  parallelOperations: 3,
  files,
});

export const queued = { at: 'queued' } as const;
