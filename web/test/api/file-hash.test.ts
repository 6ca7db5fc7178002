/** The hash of a file equals the one that Node computes, even on a page without HTTPS. */
import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { hashFile } from '../../src/api/files/file-hash.ts';

/** The module's chunk size. */
const chunk = 4 * 1024 * 1024;

function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >>> 8)) & 255);
}

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, chunk - 1, chunk, chunk + 1, 2 * chunk])(
  'hashes %i bytes where the browser has no native hashes',
  async (size) => {
    vi.stubGlobal('crypto', {});
    const bytes = bytesOf(size);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await expect(hashFile(new Blob([bytes]))).resolves.toBe(hash);
  },
);

/** A file of two chunks and a half, and the sizes of what was read of it at once. */
function recordingFile() {
  const bytes = bytesOf(2.5 * chunk);
  const read: number[] = [];
  return {
    read,
    file: {
      size: bytes.length,
      slice: (from?: number, to?: number) => {
        const part = new Blob([bytes.subarray(from, to)]);
        read.push(part.size);
        return part;
      },
    },
  };
}

test('reads one chunk after another, and reports the fraction until the end is reached', async () => {
  const { file, read } = recordingFile();
  const shares: number[] = [];
  await hashFile(file, { onProgress: (fraction) => shares.push(fraction) });
  expect(read).toEqual([chunk, chunk, chunk / 2]);
  expect(shares).toEqual([0.4, 0.8]);
});

test('stops reading when it is aborted', async () => {
  const { file, read } = recordingFile();
  const work = new AbortController();
  const hash = hashFile(file, { signal: work.signal, onProgress: () => work.abort() });
  await expect(hash).rejects.toMatchObject({ name: 'AbortError' });
  expect(read).toEqual([chunk, chunk]);
});

test('rejects when the file cannot be read', async () => {
  const file = { size: 1, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) };
  await expect(hashFile(file as unknown as Blob)).rejects.toThrow('gone');
});
