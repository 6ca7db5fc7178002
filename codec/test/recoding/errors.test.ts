/** The table of internal codes and error names, by family. */

import {
  containerFamilies,
  errorNamesOf,
  type Workflow,
  workflowOf,
  workflows,
} from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { CodecError, type InternalCode, internalCodes, wrongFamilyCode } from '../../src/errors.ts';
import type { FaultPlace } from '../../src/recoding/error-names.ts';
import { errorNameOf, getCodec } from '../../src/families/registry.ts';
import { nameIn } from '../damaged/builders.ts';

/** Combinations that no file can cause are omitted. */
type Row = readonly [codes: readonly InternalCode[], kessv2: string, ktag: string, kess3: string];

const archives: readonly InternalCode[] = [
  'FILE_IS_ARCHIVE_ZIP',
  'FILE_IS_ARCHIVE_7Z',
  'FILE_IS_ARCHIVE_RAR',
  'FILE_IS_ARCHIVE_GZIP',
  'FILE_IS_ARCHIVE_BZ2',
  'FILE_IS_ARCHIVE_XZ',
  'FILE_IS_ARCHIVE_VIM',
];
const mod = 'FILE_NOT_COMPATIBLE_WITH_READ_FILE';
const modComponent = 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT';

const written: readonly Row[] = [
  [['FILE_EMPTY', 'FILE_IO'], 'FILE_LOAD_ERROR', 'FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'],
  [archives, 'FILE_IS_ZIP_ARCHIVE', 'FILE_IS_ZIP_ARCHIVE', 'KESS3_FILE_IS_ARCHIVE'],
  [['FILE_NOT_RECOGNIZED'], 'INVALID_FILE', 'INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'],
  [['FILE_CORRUPTED_TEXT_TRANSFER'], 'FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_BAD_HEADER'],
  [['FILE_TRUNCATED'], 'UNEXPECTED_SIZE', 'UNEXPECTED_SIZE', 'KESS3_BAD_HEADER'],
  [
    ['UNEXPECTED_TRAILING_DATA', 'FILE_TOO_LARGE'],
    'UNEXPECTED_SIZE',
    'UNEXPECTED_SIZE',
    'KESS3_GENERIC_ERROR_WITH_CODE',
  ],
  [['BAD_HEADER'], 'FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_BAD_HEADER'],
  [
    ['UNSUPPORTED_VERSION', 'UNSUPPORTED_SUITE', 'UNSUPPORTED_CRITICAL_FIELD'],
    'INVALID_FILE',
    'INVALID_FILE',
    'KESS3_BAD_HEADER',
  ],
  [['WRONG_FAMILY_KTAG'], 'FILE_IS_KTAG_BACKUP', '', 'KESS3_FILE_IS_KTAG_BACKUP'],
  [['WRONG_FAMILY_KESSV2'], '', 'FILE_IS_KESSV2', 'KESS3_FILE_IS_KESSV2'],
  [['WRONG_FAMILY_KESS3'], 'FILE_IS_KESS3', 'FILE_IS_KESS3', ''],
  [['WRONG_FILE_KIND'], 'INVALID_FILE', 'INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'],
  [['WRONG_MASTER_CODE'], 'WRONG_MASTER_CODE', 'WRONG_MASTER_CODE', 'KESS3_WRONG_MASTER_CODE'],
  [['TOOL_NOT_FOUND'], 'WRONG_MASTER_CODE', 'WRONG_MASTER_CODE', 'KESS3_TOOL_NOT_FOUND'],
  [
    ['REVOKED_KEY', 'AUTHENTICATION_FAILED', 'FILE_CORRUPTED'],
    'FILE_CORRUPTED',
    'FILE_CORRUPTED',
    'KESS3_DECRYPT_ERROR',
  ],
  [['COMPONENT_DIGEST_MISMATCH'], 'FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_COMPONENT_READ_ERROR'],
  [['PROTOCOL_NOT_FOUND'], 'ECU_NOT_SUPPORTED', 'ECU_NOT_SUPPORTED', 'KESS3_PROTOCOL_NOT_FOUND'],
  [
    ['ECU_NOT_RECOGNIZED'],
    'ECU_NOT_RECOGNIZED',
    'ECU_NOT_RECOGNIZED',
    'KESS3_INFO_RETRIEVAL_ERROR',
  ],
  [['UNEXPECTED_SIZE'], 'UNEXPECTED_SIZE', 'UNEXPECTED_SIZE', 'KESS3_COMPONENT_READ_ERROR'],
  [['COMPONENT_NOT_IN_PROTOCOL'], 'WRONG_IMPORT', 'WRONG_IMPORT', 'KESS3_COMPONENT_READ_ERROR'],
  [['MAP_FILE_ERROR'], '', 'WRONG_IMPORT', 'KESS3_MAPS_FILE_PROCESSING_ERROR'],
  [['INFO_ERROR'], 'FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_INFO_RETRIEVAL_ERROR'],
  [['READ_CHECKSUM_ERROR'], 'CHECKSUM_ERROR', 'CHECKSUM_ERROR', 'KESS3_CHECKSUM_ERROR'],
  [
    ['VR_LOOKUP_FAILED', 'VR_UNSUPPORTED'],
    'VIRTUAL_READING_LOOKUP_ERROR',
    '',
    'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
  ],
  [['MOD_WRONG_SIZE', 'MOD_IDENT_MISMATCH'], mod, modComponent, mod],
  [['MOD_EMPTY'], 'FILE_LOAD_ERROR', 'FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'],
  [['MOD_STILL_ENCODED'], 'INVALID_FILE', 'INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'],
  [['ORI_MISSING', 'ORI_MISMATCH'], mod, '', mod],
  [
    ['CHECKSUM_UNCORRECTABLE', 'CHANGE_OVERWRITTEN'],
    'CHECKSUM_ERROR',
    'CHECKSUM_ERROR',
    'KESS3_CHECKSUM_ERROR',
  ],
  [['CVN_ERROR'], 'CVN_CORRECTION_ERROR', '', 'KESS3_GENERIC_ERROR_WITH_CODE'],
  [['ENCODE_FAILED'], 'FILE_SAVE_ERROR', 'FILE_SAVE_ERROR', 'KESS3_ENCRYPT_ERROR'],
  [['-1073741819'], '-1073741819', '-1073741819', '-1073741819'],
  [['GENERIC_ERROR'], 'GENERIC_ERROR', 'GENERIC_ERROR', 'KESS3_GENERIC_ERROR_WITH_CODE'],
];

/** The pages of the first three families name no later family: its files are of the wrong kind there. */
const unnamed = containerFamilies
  .map(wrongFamilyCode)
  .filter((code) => !written.some(([codes]) => codes.includes(code)));
const rows: readonly Row[] = [
  ...written,
  [unnamed, 'INVALID_FILE', 'INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'],
];

describe('an internal code is shown', () => {
  const cases = rows.flatMap(([codes, ...names]) =>
    codes.flatMap((code) =>
      containerFamilies.flatMap((family) => {
        const name = nameIn(family, code, names);
        return name ? [{ code, family, name }] : [];
      }),
    ),
  );
  // promise c.checks.table
  test.each(cases)('$code as $name in $family', ({ code, family, name }) => {
    expect(errorNameOf(code, { workflow: family })).toBe(name);
  });

  test.each<[InternalCode, FaultPlace & { workflow?: Workflow }, string]>([
    ['COMPONENT_DIGEST_MISMATCH', { workflow: 'kess3-utility' }, 'KESS3_UNPACK_BACKUP_ERROR'],
    ['ENCODE_FAILED', { workflow: 'kess3-utility' }, 'KESS3_COMPACT_BACKUP_ERROR'],
    ['COMPONENT_NOT_IN_PROTOCOL', { component: 'mapfile' }, 'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL'],
    ['COMPONENT_NOT_IN_PROTOCOL', { component: 'flash' }, 'KESS3_COMPONENT_READ_ERROR'],
    ['MOD_WRONG_SIZE', { mode: 'obd' }, mod],
    ['MOD_WRONG_SIZE', { mode: 'bootbench' }, modComponent],
    ['MOD_IDENT_MISMATCH', { mode: 'bootbench' }, modComponent],
  ])('%s in KESS3 with %j as %s', (code, place, name) => {
    expect(errorNameOf(code, { workflow: 'kess3', ...place })).toBe(name);
  });
});

// promise c.checks.table
test('the table has a row for every internal code', () => {
  expect(rows.flatMap(([codes]) => codes).toSorted()).toEqual([...internalCodes].toSorted());
});

// an operation with another name would be shown as GENERIC_ERROR
test.each(workflows)('%s uses only error names that its family lists', (workflow) => {
  const listed = errorNamesOf(workflowOf(workflow).family);
  const shown = internalCodes.flatMap((code) => [
    errorNameOf(code, { workflow, mode: 'obd' }),
    errorNameOf(code, { workflow, mode: 'bootbench' }),
    errorNameOf(code, { workflow, mode: 'bootbench', component: 'mapfile' }),
  ]);
  expect(shown.filter((name) => !listed.includes(name))).toEqual([]);
});

test.each(containerFamilies)(
  'a warning of %s about checksums is a name that it lists',
  (family) => {
    const { wrongChecksumsWarning } = getCodec(family).rules;
    expect([null, ...errorNamesOf(family)]).toContain(wrongChecksumsWarning);
  },
);

test.each(containerFamilies)('%s refuses no file as one of its own family', (family) => {
  const shown = errorNameOf(wrongFamilyCode(family), { workflow: family });
  expect(shown).toBe(errorNameOf('GENERIC_ERROR', { workflow: family }));
});

test('the message of a codec error contains its code, and its detail if there is one', () => {
  expect(new CodecError('BAD_HEADER')).toMatchObject({ message: 'BAD_HEADER', detail: null });
  expect(new CodecError('UNEXPECTED_SIZE', 'flash').message).toBe('UNEXPECTED_SIZE: flash');
});
