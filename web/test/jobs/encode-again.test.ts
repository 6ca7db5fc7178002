/** The draft that "Encode again" makes of a file of a job. */
import type { Job, JobFile } from '@recodery/contract/features/jobs/jobs';
import {
  type EncodeDraft,
  getEncodeDraft,
  putEncodeDraft,
} from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { beforeEach, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls-to.ts';
import {
  draftFor,
  encodeAgain,
  unencodedFiles,
} from '../../src/features/jobs/history/encode-again.ts';

/** The draft that the server has, and what is requested. */
let stored: EncodeDraft;
/** The draft that a colleague saves before the next change. */
let meanwhile: EncodeDraft | null = null;
const saved: unknown[] = [];
const call = callsTo(async (route, { body }) => {
  if (route === putEncodeDraft) saved.push(body);
  if (route === putEncodeDraft && meanwhile !== null) {
    [stored, meanwhile] = [meanwhile, null];
    throw new Refusal('DRAFT_CHANGED');
  }
  return route === getEncodeDraft ? { ...stored, version: 1 } : undefined;
});

/** A file of a job whose name is also its GUID. */
function fileOf(name: string, part: string | null, madeFrom: readonly string[] = []): JobFile {
  const isInput = part === 'original' ? 'original' : 'modified';
  return {
    fileGUID: name,
    role: part === null ? 'encoded' : isInput,
    component: null,
    part,
    name,
    size: 1,
    sha256: '',
    createdOn: '2026-03-22T10:00:00Z',
    userDisplayName: null,
    isThere: true,
    firstDownloadedOn: null,
    madeFrom: [...madeFrom],
    sentTo: null,
    sentOn: null,
  };
}

const choices = { removed: null, willCorrectCVN: true, willSkipChecksum: false };
const drafted = { ...choices, files: [] };

const flash1 = fileOf('flash-1', 'Flash');
const version1 = fileOf('version-1', null, ['flash-1']);
const eeprom = fileOf('eeprom', 'EEPROM');
const bench = { files: [flash1, version1, fileOf('micro', 'Micro'), eeprom] };

test('a part that a version was not made from loses its later file', () => {
  expect(draftFor(bench, version1, drafted, ['EEPROM'])).toEqual({
    files: { Flash: 'flash-1', Micro: null, EEPROM: null },
  });
});

test('a file of the draft that the job does not have yet is removed too', () => {
  const late = { part: 'MapFile', fileGUID: 'late', name: 'late', size: 1, changes: null };
  const { files } = draftFor(bench, version1, { ...drafted, files: [late] }, []);
  expect(files).toMatchObject({ Flash: 'flash-1', MapFile: null });
});

test('a part with a file is not removed, and the other removed parts stay removed', () => {
  const removed = ['Flash', 'Micro'];
  expect(draftFor(bench, flash1, { ...drafted, removed }, []).removed).toEqual(['Micro']);
  expect(draftFor(bench, eeprom, drafted, ['EEPROM']).removed).toEqual([]);
});

test('a modified file is encoded with the original of the draft, a version with its own', () => {
  const modified = fileOf('modified', 'modified');
  const version = fileOf('version', null, ['modified']);
  const obd = { files: [modified, fileOf('original', 'original'), version] };
  expect(draftFor(obd, modified, drafted, []).files).toEqual({ modified: 'modified' });
  expect(draftFor(obd, version, drafted, []).files).toEqual({
    modified: 'modified',
    original: null,
  });
});

test('files that were never encoded are named before they are replaced', () => {
  const next = { part: 'Flash', fileGUID: 'flash-2', name: 'flash-2', size: 1, changes: null };
  const draftWith = (...files: (typeof next)[]) => ({ ...drafted, files });
  const lostBy = (file: JobFile, draft: ReturnType<typeof draftWith>) =>
    unencodedFiles(bench, draft, draftFor(bench, file, draft, [])).map(({ name }) => name);
  expect(lostBy(version1, draftWith(next))).toEqual(['flash-2']);
  // encoded before, or encoded again itself
  expect(lostBy(version1, draftWith({ ...next, fileGUID: 'flash-1' }))).toEqual([]);
  expect(lostBy(eeprom, draftWith({ ...next, fileGUID: 'flash-1' }))).toEqual([]);
  const flash2 = fileOf('flash-2', 'Flash');
  const later = { files: [...bench.files, flash2] };
  const draft = draftWith(next);
  expect(unencodedFiles(later, draft, draftFor(later, flash2, draft, []))).toEqual([]);
});

describe('what is lost when a version is encoded again', () => {
  const files = [
    fileOf('v1', 'modified'),
    fileOf('version', null, ['v1']),
    fileOf('ori', 'original'),
  ];
  // the rest of the job is not used
  const job = { slotGUID: 'slot-1', files } as unknown as Job;
  const version = fileOf('version', null, ['v1']);
  const inDraft = (part: string, fileGUID: string) => ({
    part,
    fileGUID,
    name: `${fileGUID}.bin`,
    size: 1,
    changes: null,
  });
  const original = inDraft('original', 'ori');
  const nothing = { cancels: false, replaces: [] };
  let isRunning = false;
  let cancellations = 0;
  const upload = {
    isRunning: () => isRunning,
    cancel: async () => {
      isRunning = false;
      cancellations += 1;
    },
    saved: async () => {},
  };
  const ask = (agreed: Parameters<typeof encodeAgain>[4]) =>
    encodeAgain(call, job, version, upload, agreed);
  beforeEach(() => {
    stored = { ...drafted, removed: [], files: [original] };
    saved.length = 0;
    isRunning = true;
    cancellations = 0;
  });

  test('is an upload in progress and the files that were never encoded, in one question', async () => {
    const loss = await ask(nothing);
    expect(loss).toEqual({ cancels: true, replaces: [original] });
    expect([cancellations, saved]).toEqual([0, []]);
    expect(await ask(loss ?? nothing)).toBeNull();
    expect(cancellations).toBe(1);
    // and no other field: a colleague may change it at the same time
    expect(saved).toEqual([{ files: { modified: 'v1', original: null }, version: 1 }]);
  });

  test('is asked about again if it is more than the user has agreed to', async () => {
    const loss = await ask(nothing);
    // the upload has finished in the meantime
    isRunning = false;
    const finished = inDraft('modified', 'v2');
    stored = { ...stored, files: [original, finished] };
    expect(await ask(loss ?? nothing)).toEqual({ cancels: false, replaces: [original, finished] });
    isRunning = true;
    expect(await ask({ cancels: false, replaces: [original, finished] })).toMatchObject({
      cancels: true,
    });
    expect(saved).toEqual([]);
  });

  test('is asked about if a colleague has added a file in the meantime', async () => {
    isRunning = false;
    const finished = inDraft('modified', 'v2');
    meanwhile = { ...stored, files: [original, finished] };
    const agreed = { cancels: false, replaces: [original] };
    expect(await ask(agreed)).toEqual({ cancels: false, replaces: [original, finished] });
  });

  test('is nothing if the draft has no other file', async () => {
    isRunning = false;
    stored = { ...stored, files: [inDraft('modified', 'v1')] };
    expect(await ask(nothing)).toBeNull();
    expect([cancellations, saved.length]).toEqual([0, 1]);
  });
});
