/** Which images are compared when files of a job are chosen. */
import type { JobFile } from '@recodery/contract/features/jobs/jobs';
import { expect, test } from 'vitest';
import { comparedImage, isComparable } from '../../src/features/jobs/history/compared-images.ts';

const file = (
  role: JobFile['role'],
  name: string,
  component: string | null,
  parts: Partial<JobFile> = {},
): JobFile => ({
  fileGUID: name,
  role,
  component,
  part: null,
  name,
  size: 1,
  sha256: '',
  createdOn: '2026-01-01T00:00:00.000Z',
  userDisplayName: null,
  isThere: true,
  firstDownloadedOn: null,
  madeFrom: [],
  sentTo: null,
  sentOn: null,
  ...parts,
});
const read = file('read', 'read', null);
const flash = file('decoded', 'read.fls', 'flash');
const micro = file('decoded', 'read.mpc', 'micro');
const tuned = file('modified', 'tuned.mpc', 'micro');
const encoded = file('encoded', 'tuned.moc', null, { madeFrom: ['tuned.mpc'] });
const job = { files: [read, flash, micro, tuned, encoded] };

test('an encoded file is compared by the images in it: modified ones, and those that were left as they were', () => {
  expect(comparedImage(job, encoded, micro)).toMatchObject({
    fileGUID: 'tuned.mpc',
    name: 'tuned.moc (tuned.mpc)',
  });
  expect(comparedImage(job, encoded, flash)).toMatchObject({ fileGUID: 'read.fls' });
  expect(comparedImage(job, encoded)).toMatchObject({ fileGUID: 'tuned.mpc' });
});

test('a sealed or deleted file without an image cannot be compared', () => {
  expect(isComparable(job, read)).toBe(false);
  expect(isComparable(job, flash)).toBe(true);
  const gone = job.files.map((one) => ({ ...one, isThere: one.role === 'encoded' }));
  expect(isComparable({ files: gone }, encoded)).toBe(false);
});
