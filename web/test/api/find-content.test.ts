/** Which jobs the files of an archive come from. */
import type { FoundFile } from '@recodery/contract/features/jobs/jobs';
import { expect, test } from 'vitest';
import { jobsOfArchive } from '../../src/api/files/find-content.ts';

let minutes = 0;
/** A file of a job, older than those before it. */
const found = (slotGUID: string | null, sha256: string): FoundFile => {
  minutes += 1;
  return {
    fileGUID: `${slotGUID} ${sha256}`,
    role: 'decoded',
    name: 'x',
    createdOn: new Date(Date.UTC(2026, 0, 1) - minutes * 60_000).toISOString(),
    userDisplayName: null,
    isThere: true,
    slotGUID,
    family: 'kess3',
    workflow: 'kess3',
    fileName: 'read',
    slaveSerialNumber: null,
    sha256,
  };
};

test('the jobs of an archive are those that contain the most of it, the newest first', () => {
  const files = [
    found('other', 'blank eeprom'),
    found('again', 'flash'),
    found('again', 'blank eeprom'),
    found('first', 'flash'),
    found('first', 'blank eeprom'),
  ];
  expect(jobsOfArchive(files)).toEqual({
    hashes: ['flash'],
    jobs: ['again', 'first'],
    isFound: true,
    isRead: false,
  });
});

test('each job of an archive with several reads is found by a hash of its own', () => {
  const files = [
    found('a', 'flash a'),
    found('a', 'blank eeprom'),
    found('b', 'blank eeprom'),
    found('b', 'flash b'),
  ];
  const { jobs, hashes } = jobsOfArchive(files);
  expect(jobs).toEqual(['a', 'b']);
  expect(hashes.toSorted()).toEqual(['flash a', 'flash b']);
});

test('files of deleted jobs lead to no job', () => {
  expect(jobsOfArchive([found(null, 'flash')])).toEqual({
    hashes: [],
    jobs: [],
    isFound: false,
    isRead: false,
  });
});
