/** What a modified image is compared with, in the pre-flight and in the encode. */
import { expect, test } from 'vitest';
import { imagesOfRead, originalOf } from '../../../src/recoding/images/read-images.ts';

const components = [{ component: 'obd', fileGuid: 'decoded', name: 'read.bin', size: 8 }] as const;
const read = { wasOriginalFileFound: false, components };
const found = { wasOriginalFileFound: true, components };

test('an image of the read is compared with the read, and an uploaded original is the original', () => {
  expect(imagesOfRead(read)).toEqual(components);
  expect([originalOf(read, null), originalOf(read, 'uploaded')]).toEqual([null, 'uploaded']);
});

// promise 5.preflight.red
test('what Virtual Reading found is the original and no image of the read, unless the user uploads another', () => {
  expect(imagesOfRead(found)).toEqual([]);
  expect([originalOf(found, null), originalOf(found, 'uploaded')]).toEqual(['decoded', 'uploaded']);
});
