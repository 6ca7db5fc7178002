/** The draft that "Encode again" makes of a file of a job. */
import type { JobFile } from '@recodery/contract/features/jobs';
import { expect, test } from 'vitest';
import { draftFor } from '../../src/features/jobs/jobs.ts';

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
    ...choices,
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
