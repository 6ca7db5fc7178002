/** Which page opens which file, and what every other page shows for it. */
import { Refusal } from '@recodery/contract/refusal';
import { type FileKind, fileKinds } from '@recodery/contract/families/family';
import {
  families,
  type Family,
  type Workflow,
  workflows,
} from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { familyPages } from '../../families/family-pages.ts';
import {
  pageOf,
  partRefusalReason,
  readRefusalReason,
  recognizeFile,
} from '../../../../src/features/recoding/flow/reads/recognize-read.ts';

const file = { name: 'x', size: 4096 };
const limit = 64 * 1024 * 1024;
const container = (family: Family, kind: FileKind) =>
  ({ outcome: 'recognized', family, kind, isContainer: true }) as const;

/** The code with which a page refuses a file, and the page that it refers to; null if it opens it. */
function refusalOf(page: Workflow, family: Family, kind: FileKind): string | null {
  const refusal = readRefusalReason(familyPages[page], container(family, kind), file, {
    maxFileBytes: limit,
  });
  if (refusal === null) return null;
  const { fault, goesTo } = refusal;
  const code =
    fault.kind === 'misplaced'
      ? fault.code
      : fault.kind === 'refused' && fault.thrown instanceof Refusal
        ? fault.thrown.code
        : '?';
  return `${code} → ${goesTo ?? 'nowhere'}`;
}

describe('a file', () => {
  // promise 5.files.kessv2-on-kess3
  test.each<[Workflow, Family, FileKind, string | null]>([
    ['kessv2', 'kessv2', 'read-file', null],
    ['kessv2', 'ktag', 'read-backup', 'FILE_IS_KTAG_BACKUP → ktag'],
    ['kessv2', 'kess3', 'read-file', 'FILE_IS_KESS3 → kess3'],
    ['kessv2', 'kess3', 'utility-backup', 'FILE_IS_KESS3 → kess3-utility'],
    ['kessv2', 'kessv2', 'encoded-file', 'INVALID_FILE → nowhere'],
    ['ktag', 'ktag', 'read-backup', null],
    ['ktag', 'kessv2', 'read-file', 'FILE_IS_KESSV2 → kessv2'],
    ['ktag', 'kess3', 'read-file', 'FILE_IS_KESS3 → kess3'],
    ['ktag', 'ktag', 'encoded-backup', 'INVALID_FILE → nowhere'],
    ['kess3', 'kess3', 'read-file', null],
    ['kess3', 'kess3', 'utility-backup', 'KESS3_FILE_NOT_RECOGNIZED → kess3-utility'],
    ['kess3', 'kessv2', 'read-file', 'KESS3_FILE_IS_KESSV2 → kessv2'],
    ['kess3', 'ktag', 'read-backup', 'KESS3_FILE_IS_KTAG_BACKUP → ktag'],
    ['kess3', 'kess3', 'encoded-file', 'KESS3_FILE_NOT_RECOGNIZED → nowhere'],
    ['kess3-utility', 'kess3', 'utility-backup', null],
    ['kess3-utility', 'kess3', 'read-file', 'KESS3_FILE_NOT_RECOGNIZED → kess3'],
    ['kess3-utility', 'ktag', 'read-backup', 'KESS3_FILE_IS_KTAG_BACKUP → ktag'],
  ])('on the page %s that is a %s %s: %s', (page, family, kind, expected) => {
    expect(refusalOf(page, family, kind)).toBe(expected);
  });

  test('of another family is refused without repeating its page', () => {
    const read = container('ktag', 'read-backup');
    const refusal = readRefusalReason(familyPages.kess3, read, file, { maxFileBytes: limit });
    expect(refusal?.fault).toMatchObject({ thrown: { details: { detail: null } } });
  });

  test('of a family without a name on this page is still sent to its page', () => {
    const { kess3 } = familyPages;
    const page = { ...kess3, refuses: { ...kess3.refuses, families: {} } };
    const refusal = readRefusalReason(page, container('kessv2', 'read-file'), file, {
      maxFileBytes: limit,
    });
    expect(refusal).toMatchObject({
      fault: { kind: 'misplaced', code: 'KESS3_FILE_NOT_RECOGNIZED', what: 'other-family' },
      goesTo: 'kessv2',
    });
  });

  test('is opened by the page that it is sent to, and by no other', () => {
    for (const family of families) {
      for (const kind of fileKinds) {
        const opening = workflows.filter((page) => refusalOf(page, family, kind) === null);
        const page = pageOf(container(family, kind));
        expect(opening, `${family} ${kind}`).toEqual(page === null ? [] : [page]);
      }
    }
  });

  // promise 8.catalogue.archive-words
  test('that is an archive is refused with the name of the family', () => {
    const zip = { outcome: 'archive', archive: 'zip' } as const;
    const refusalOn = (page: Workflow) =>
      readRefusalReason(familyPages[page], zip, file, { maxFileBytes: limit });
    expect(refusalOn('kessv2')?.fault).toMatchObject({ thrown: { code: 'FILE_IS_ZIP_ARCHIVE' } });
    expect(refusalOn('kess3')?.fault).toMatchObject({ thrown: { code: 'KESS3_FILE_IS_ARCHIVE' } });
  });

  test('that is an archive is uploaded where the engine accepts files of vendors, and a container of another family is not', () => {
    const foreign = { maxFileBytes: limit, takesForeignFiles: true };
    const zip = { outcome: 'archive', archive: 'zip' } as const;
    expect(readRefusalReason(familyPages.kessv2, zip, file, foreign)).toBeNull();
    const other = container('ktag', 'read-backup');
    expect(readRefusalReason(familyPages.kessv2, other, file, foreign)?.goesTo).toBe('ktag');
  });

  test.each([
    ['golf.SLAVE', { outcome: 'archive', archive: 'zip' }, 'autotuner'],
    ['golf.sbdc', { outcome: 'unknown' }, 'bflash'],
    ['golf.mmf', { outcome: 'unknown' }, 'flex'],
    ['golf.atf', { outcome: 'unknown' }, 'autoflasher'],
    ['golf.bin', { outcome: 'unknown' }, null],
  ] as const)(
    'with the name %s and content that shows nothing goes to %s',
    (name, content, page) => {
      const given = { name, size: 1 };
      const foreign = { maxFileBytes: limit, takesForeignFiles: true };
      const refusalOn = (one: Workflow) =>
        readRefusalReason(familyPages[one], content, given, foreign);
      expect(refusalOn('kessv2')?.goesTo ?? null).toBe(page);
      if (page !== null) expect(refusalOn(page)).toBeNull();
    },
  );

  test('that is larger than the portal accepts is refused before a byte is sent', () => {
    const large = { name: 'x', size: limit + 1 };
    const read = container('kessv2', 'read-file');
    const refusal = readRefusalReason(familyPages.kessv2, read, large, { maxFileBytes: limit });
    const sizes = { actual: limit + 1, allowed: { min: 0, max: limit } };
    expect(refusal?.fault).toMatchObject({
      thrown: { code: 'FILE_TOO_LARGE', details: { sizes } },
    });
    expect(
      readRefusalReason(
        familyPages.kessv2,
        read,
        { name: 'x', size: limit },
        { maxFileBytes: limit },
      ),
    ).toBeNull();
  });

  test('that its first bytes do not identify is left to the server', () => {
    const refusal = readRefusalReason(familyPages.kessv2, { outcome: 'unknown' }, file, {
      maxFileBytes: limit,
    });
    expect(refusal).toBeNull();
  });

  // promise d7.results.told-before
  test('is recognized by its first bytes only', async () => {
    const bytes = new Uint8Array(4096);
    bytes.set([0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 2, 2]);
    const backup = new File([bytes], 'wrong-extension.kv2');
    expect(await recognizeFile(backup)).toEqual(container('ktag', 'read-backup'));
    expect(await recognizeFile(new File([], 'empty'))).toEqual({ outcome: 'empty' });
  });
});

describe('a modified file', () => {
  test('that is still sealed, an archive or too large is refused before it is uploaded', () => {
    const why = (recognized: Parameters<typeof partRefusalReason>[1], size = 1) =>
      partRefusalReason(familyPages.kess3, recognized, size, limit);
    expect(why(container('kess3', 'read-file'))).toMatchObject({
      what: 'sealed',
      code: 'KESS3_FILE_NOT_RECOGNIZED',
    });
    expect(why({ outcome: 'archive', archive: 'rar' })).toMatchObject({
      thrown: { code: 'KESS3_FILE_IS_ARCHIVE' },
    });
    expect(why({ outcome: 'unknown' }, limit + 1)).toMatchObject({
      thrown: { code: 'FILE_TOO_LARGE', details: { sizes: { actual: limit + 1 } } },
    });
    expect(why({ outcome: 'unknown' })).toBeNull();
  });
});
