/** What a tray stores about dropped files: which workflow decodes each, or why none does. */
import { createHash } from 'node:crypto';
import { byWorkflow, definitions } from '@recodery/contract/families/registry';
import { fileKinds } from '@recodery/contract/families/family';
import { magic } from '@recodery/contract/recognize';
import type { Entries } from '@recodery/contract/features/session';
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import { mayBeTemporary } from '../../src/features/recoding/fault.ts';
import { faultOfError } from '../../src/features/recoding/flow/reads/recognize-read.ts';
import {
  checkReadable,
  describeRead,
  inspectFiles,
  isListed,
} from '../../src/features/trays/dropped/inspect-files.ts';

const everything: Entries = byWorkflow(() => null);
const read = Uint8Array.from([
  ...magic,
  ...[0, 0],
  definitions.kessv2.container.number,
  fileKinds.indexOf('read-file') + 1,
]);
const sealed = read.with(11, fileKinds.indexOf('encoded-file') + 1);

async function described(bytes: Uint8Array, entries = everything, most = 1000) {
  const [inspected] = await inspectFiles([new File([new Uint8Array(bytes)], 'a.tfc')], most);
  if (inspected === undefined) throw new Error('nothing was inspected');
  return describeRead(inspected, entries, most);
}

test('a read has its workflow and its hash', async () => {
  const sha256 = createHash('sha256').update(read).digest('hex');
  const file = { name: 'a.tfc', size: read.length, sha256, workflow: 'kessv2', error: null };
  expect(await described(read)).toEqual(file);
});

test.each([
  ['unknown', 'golf.SBDC', 'bflash'],
  ['unknown', 'golf.mmf', 'flex'],
  ['unknown', 'golf.ATF', 'autoflasher'],
  ['unknown', 'golf.sbdc.bin', null],
  ['PK\u0003\u0004', 'golf-backup .slave', 'autotuner'],
])('%j with the name %s is decoded by %s', async (content, name, workflow) => {
  const [inspected] = await inspectFiles([new File([content], name)], 1000);
  if (inspected === undefined) throw new Error('nothing was inspected');
  expect(isListed(inspected)).toBe(workflow !== null);
  expect(describeRead(inspected, everything, 1000)).toMatchObject({ workflow });
});

test.each([
  ['a file for a slave', sealed, 'ENCODED_FILE'],
  ['an archive', Uint8Array.of(0x50, 0x4b, 3, 4), 'FILE_IS_ZIP_ARCHIVE'],
  ['a file without content', new Uint8Array(), 'FILE_EMPTY'],
  [
    'a read after a transfer as text',
    Uint8Array.from(magic, (byte) => byte & 0x7f),
    'FILE_CORRUPTED',
  ],
  ['any other file', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 'INVALID_FILE'],
])('%s is not uploaded', async (_, bytes, error) => {
  expect(await described(bytes)).toMatchObject({ workflow: null, error });
});

test('a file that cannot be an image is listed with its reason, and not taken for a modified file', async () => {
  const contents = [
    [read, true],
    [sealed, true],
    [Uint8Array.of(0x50, 0x4b, 3, 4), true],
    [new Uint8Array(), true],
    [Uint8Array.from(magic, (byte) => byte & 0x7f), true],
    [Buffer.from('<!DOCTYPE html><title>Sign in</title>'), true],
    [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), false],
  ] as const;
  const files = contents.map(([bytes], at) => new File([new Uint8Array(bytes)], `${at}.bin`));
  const inspected = await inspectFiles(files, 1000);
  expect(inspected.map(isListed)).toEqual(contents.map(([, is]) => is));
});

test('a read that is too large is not uploaded, nor read into memory for its hash', async () => {
  expect(await described(read, everything, 5)).toMatchObject({
    workflow: null,
    error: 'FILE_TOO_LARGE',
    sha256: null,
  });
});

test('a read of a family that the user may not decode is not uploaded', async () => {
  const entries = { ...everything, kessv2: 'FeatureNotAvailable' } as const;
  expect(await described(read, entries)).toMatchObject({ error: 'FeatureNotAvailable' });
});

test('a stored error becomes the fault that the page found', () => {
  const label = { name: 'golf.slave' };
  expect(faultOfError('OTHER_MAKER', label)).toMatchObject({
    what: 'other-maker',
    maker: 'AutoTuner',
  });
  expect(faultOfError('WEB_PAGE', label)).toMatchObject({
    thrown: { code: 'INVALID_FILE', details: { detail: 'web-page' } },
  });
  expect(faultOfError('OWN_FILE', label)).toMatchObject({ what: 'own-file' });
  expect(faultOfError('ENCODED_FILE', label)).toMatchObject({
    kind: 'misplaced',
    what: 'encoded-file',
  });
  expect(faultOfError('FILE_EMPTY', label)).toMatchObject({ thrown: { code: 'FILE_EMPTY' } });
});

describe('a file that the browser cannot read', () => {
  const folder = new File([], 'folder');
  Object.assign(folder, {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }),
  });

  test('is listed with the reason, and the others are inspected', async () => {
    const files = [folder, new File([new Uint8Array(read)], 'a.tfc')];
    const inspected = await inspectFiles(files, 1000);
    const errors = inspected.map((one) => describeRead(one, everything, 1000).error);
    expect(errors).toEqual(['FILE_LOAD_ERROR', null]);
  });

  test('is permanently refused before it is sent', async () => {
    const thrown: unknown = await checkReadable(folder).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(Refusal);
    expect(mayBeTemporary({ kind: 'refused', thrown })).toBe(false);
    await checkReadable(new File(['a'], 'a'));
  });
});
