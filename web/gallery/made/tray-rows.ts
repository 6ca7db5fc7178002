/** The rows of a tray in every state, as the gallery shows them. */
import { Refusal } from '@recodery/contract/refusal';
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import type { TrayFile } from '@recodery/contract/features/trays';
import { page as kess3 } from '../../src/features/recoding/families/kess3.ts';
import { draftOfInputs, freshInputs } from '../../src/features/recoding/inputs.ts';
import { checksWith } from '../../src/features/recoding/preflight-answer.ts';
import {
  contextOf,
  type DecodedRow,
  type Row,
  type RowEncode,
  type RowImage,
  type RowState,
} from '../../src/features/trays/tray-rows.ts';
import { encodeOf, guidOf } from './answers.ts';
import { preflights } from './preflights.ts';
import { bench, obd, offline } from './reads.ts';

const changes = { bytes: 424, regions: 26, size: 4096, fraction: 0.1, spans: [] };

/** The times of a file that its maker's service sealed a number of hours ago. */
export function sealedAgo(hours: number): NonNullable<TrayFile['sealing']> {
  const after = (more: number): string => new Date(Date.now() + more * 3_600_000).toISOString();
  return { sealedOn: after(-hours), freshUntil: after(12 - hours), expiresOn: after(24 - hours) };
}

export function fileOf(number: number, name: string, differs: Partial<TrayFile> = {}): TrayFile {
  return {
    guid: guidOf(number),
    name,
    size: 4_194_304,
    sha256: null,
    workflow: 'kess3',
    error: null,
    slotGUID: null,
    decode: null,
    encode: null,
    images: [],
    draft: null,
    ...differs,
  };
}

function decodedState(encode: RowEncode, images: readonly RowImage[] = []): DecodedRow {
  const read = obd(kess3);
  const fresh = freshInputs(read);
  const files = images.flatMap(({ part, complete }) => (complete ? [[part.name, complete]] : []));
  const inputs = { ...fresh, parts: { ...fresh.parts, ...Object.fromEntries(files) } };
  return { at: 'decoded', page: kess3, read, inputs, images, encode };
}

function imageOf(name: string, refused: RowImage['refused'] = null): RowImage {
  const [part] = obd(kess3).parts;
  if (part === undefined) throw new Error('the read has no parts');
  const complete = {
    at: 'complete',
    file: { name, size: 4096 },
    fileGUID: guidOf(9),
    changes,
  } as const;
  return { part, complete: refused === null ? complete : null, job: null, refused };
}

const tuned = imageOf('KESS3_KS3-000042_9000_20261123-080000_stage1.bin');
const wrongSize = { kind: 'refused', thrown: new Refusal('KESS3_PATH_OR_FILE_NOT_FOUND') } as const;
const refused = imageOf('', {
  name: 'KESS3_KS3-000042_9000_20261123-080000_stage1.bin',
  fault: wrongSize,
});
const notUploaded = imageOf('', {
  name: 'KESS3_KS3-000042_9000_20261123-080000_stage1.bin',
  fault: offline,
});
const failure = {
  kind: 'failed',
  error: { errorName: 'FILE_CORRUPTED' },
  operationGUID: guidOf(8),
} as const;
const result = {
  name: 'KESS3_KS3-000042_9000.k3e',
  encodedFileURL: '/api/files/x',
  fileGUID: guidOf(7),
  size: 4_194_500,
  sha256: 'c'.repeat(64),
  correctedChecksums: 1,
  warnings: [],
  receiptCode: null,
};
const encoding = { at: 'encoding', fraction: 0.3, operationGUID: guidOf(6) } as const;
const encoded = { at: 'encoded', result, operationGUID: guidOf(6) } as const;

/** A read whose component is removed, and still has the file that was refused for it. */
function removedState(): DecodedRow {
  const read = bench(kess3);
  const [part] = read.parts;
  if (part === undefined) throw new Error('the read has no parts');
  const image = { ...refused, part };
  const fresh = freshInputs(read);
  const kept = {
    at: 'ready',
    refused: { file: { name: 'eprom.bin', size: 100 }, fault: wrongSize, isNoted: true },
  } as const;
  const removed = { at: 'removed', kept } as const;
  const inputs = { ...fresh, parts: { ...fresh.parts, [part.name]: removed } };
  return { at: 'decoded', page: kess3, read, inputs, images: [image], encode: { at: 'refused' } };
}

export const states: readonly (readonly [name: string, state: RowState])[] = [
  ['missing', { at: 'missing' }],
  ['queued', { at: 'queued' }],
  ['uploading', { at: 'uploading', fraction: 0.4 }],
  ['decoding', { at: 'decoding', fraction: null }],
  ['failed', { at: 'failed', fault: failure }],
  ['decoded', decodedState({ at: 'none' })],
  ['ready', decodedState({ at: 'ready' }, [tuned])],
  ['a refused file', decodedState({ at: 'refused' }, [refused])],
  ['not uploaded', decodedState({ at: 'refused' }, [notUploaded])],
  ['removed with a refused file', removedState()],
  ['incomplete', decodedState({ at: 'missing' }, [tuned])],
  ['asks one', decodedState({ at: 'asked', answer: preflights['one amber'] }, [tuned])],
  ['asks everything', decodedState({ at: 'asked', answer: preflights['every amber'] }, [tuned])],
  ['blocked', decodedState({ at: 'blocked', answer: preflights.red }, [tuned])],
  ['waiting to be encoded', decodedState({ at: 'queued' }, [tuned])],
  ['encoding', decodedState(encoding, [tuned])],
  ['encoded', decodedState(encoded, [tuned])],
  ['encoded and sealed', decodedState(encoded, [tuned])],
  ['encoded, then refused', decodedState(encoded, [{ ...refused, complete: tuned.complete }])],
  ['not encoded', decodedState({ at: 'failed', fault: failure, operationGUID: null }, [tuned])],
];

export const checkedRow = decodedState(encoded, [tuned]);
const encode = encodeOf(contextOf(checkedRow.read, checkedRow.inputs));
/** A file whose encode was preceded by these checks. */
export const passed = (
  file: TrayFile,
  answer: PreflightAnswer,
  inputs = checkedRow.inputs,
): TrayFile => ({
  ...file,
  encode,
  limits: { draft: draftOfInputs(inputs), checks: [...checksWith('unchecked', answer)] },
});

export const rows: readonly Row[] = states.map(([name, state], index) => {
  const file = fileOf(index + 10, `${name.replaceAll(' ', '-')}_KS3-000042_with_a_long_name.k3r`);
  const isStarted = name === 'encoding' || name === 'encoded';
  if (name === 'encoded and sealed') return { file: { ...file, sealing: sealedAgo(13) }, state };
  return { file: isStarted ? passed(file, preflights.limited) : file, state };
});

export const rowsNamed = (...names: readonly string[]): readonly Row[] =>
  rows.filter((_, index) => names.includes(states[index]?.[0] ?? ''));
