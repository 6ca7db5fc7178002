/** What the page says about a dropped file: in bytes where a rounded number would hide the difference. */
import { BlockSums, blockBytesOf, type PartFingerprint } from '@recodery/contract/fingerprints';
import { beforeAll, expect, test } from 'vitest';
import { measureFile } from '../../../src/features/recoding/encode/dropped-files/measure-file.ts';
import {
  likenessText,
  misfitText,
  mostDifferent,
} from '../../../src/features/recoding/encode/dropped-files/place-words.ts';
import { startTexts, withTexts } from '../../../src/i18n/texts.ts';
import { beBrowser } from '../../api/browser.ts';
import { image as decodedRead } from '../reads.ts';
import { t } from '../../texts/t.ts';

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await withTexts(Promise.resolve(), 'places');
});

const size = 0x80000;
const image = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 251);

function partOf(): PartFingerprint {
  const blockBytes = blockBytesOf(size);
  const sums = new BlockSums(blockBytes);
  sums.add(image);
  const fingerprint = { of: 'decoded', size, blockBytes, sums: sums.end() } as const;
  return { part: 'modified', sizes: [size], fingerprint };
}

const part = partOf();
const ground = { t, language: 'en-US', read: decodedRead, parts: [part] } as const;
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** What is said about the image after `bytes` bytes were changed from an address on. */
async function said(at: number, bytes: number): Promise<string> {
  const modified = image.slice();
  for (let index = at; index < at + bytes; index += 1) modified[index] = (modified[index] ?? 0) ^ 1;
  const { signal } = new AbortController();
  const likeness = await measureFile(new Blob([modified]), [part], signal);
  return spaced(likenessText(ground, 'modified', likeness.get('modified') ?? null).text);
}

test('16 changed bytes of 512 KiB are said in bytes, not as 99 percent', async () => {
  expect(await said(0x2_0000, 16)).toBe(
    'Differs from the decoded file in at most 256 B (compared in blocks of 256 B)',
  );
  expect(await said(0x2_00f8, 16)).toBe(
    'Differs from the decoded file in at most 512 B (compared in blocks of 256 B)',
  );
});

test('the bytes that are said are never fewer than those that differ', () => {
  const sums = part.fingerprint?.sums ?? [];
  for (const blocks of [1, 2, 5, 20]) {
    const likeness = (sums.length - blocks) / sums.length;
    const most = part.fingerprint && mostDifferent(part.fingerprint, likeness);
    expect(most).toBeGreaterThanOrEqual(blocks * 256);
    expect(most).toBeLessThanOrEqual((blocks + 1) * 256);
  }
});

test('a file of another version is compared in percent', async () => {
  expect(await said(0, size / 4)).toBe('At least 75% identical to the decoded file');
});

test('a file that is 100 bytes too long is compared with the size of the component in bytes', () => {
  const misfit = { id: 0, name: 'long.bin', from: null, copyOf: null, reason: 'size' } as const;
  const text = (bytes: number) => spaced(misfitText(ground, { ...misfit, size: bytes }, 2 ** 26));
  expect(text(size + 100)).toContain(
    'This file is 524,388 B long, but Modified file is 524,288 B.',
  );
  expect(text(size / 2)).toContain('No component of this read has this size (256 KiB).');
});
