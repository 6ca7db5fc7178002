/** How each family names a failed operation in each place, and what replaces the `{0}` of its text. */
import { errorNameOf } from '@recodery/codec/families/registry';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodecError, type InternalCode, internalCodes } from '@recodery/codec/errors';
import { type Workflow, workflowOf, workflows } from '@recodery/contract/families/registry';
import { modes } from '@recodery/contract/families/family';
import { describe, expect, test } from 'vitest';
import type { OperationRow } from '../../src/operations/operation-rules.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { NothingStored } from '../../src/storage/storage.ts';
import { nameFault, nameOwnFault } from '../../src/recoding/results/operation-errors.ts';

const guid = '01900000-0000-7000-8000-000000000001';

function operationOf(workflow: Workflow, request: OperationRow['request'] = {}): OperationRow {
  const { family } = workflowOf(workflow);
  return {
    guid,
    organisationId: mintOrganisationId(guid),
    accountGuid: null,
    clientGuid: null,
    userInfo: null,
    callbackUrl: null,
    baseAddress: null,
    family,
    workflow,
    type: 'KESS3Encode',
    slotGuid: guid,
    userFlow: 'E',
    contextData: null,
    request,
    status: 'running',
    attempt: 1,
    crashes: 0,
    deaths: 0,
    stage: 'ENCODING',
    fraction: 0,
    result: null,
    errorName: null,
    errorDetail: null,
    internalCode: null,
    errorSizes: null,
    connectionGuid: null,
    engineContext: null,
    isBackground: false,
    createdOn: new Date(0),
    startedOn: null,
    completedOn: null,
  };
}

const bench = { mode: 'bootbench' };
const obd = { mode: 'obd' };

describe('a fault of the file', () => {
  test.each<
    [InternalCode, string | null, Workflow, OperationRow['request'], string, string | null]
  >([
    ['ENCODE_FAILED', null, 'kessv2', obd, 'FILE_SAVE_ERROR', null],
    ['ENCODE_FAILED', null, 'ktag', bench, 'FILE_SAVE_ERROR', null],
    ['ENCODE_FAILED', null, 'kess3', obd, 'KESS3_ENCRYPT_ERROR', null],
    // several codes have this name: the code says which one it was
    ['FILE_TRUNCATED', null, 'kess3', {}, 'KESS3_BAD_HEADER', 'FILE_TRUNCATED'],
    ['FILE_TRUNCATED', null, 'kessv2', {}, 'UNEXPECTED_SIZE', null],
    ['WRONG_MASTER_CODE', null, 'kess3', {}, 'KESS3_WRONG_MASTER_CODE', null],
    ['ENCODE_FAILED', null, 'kess3-utility', obd, 'KESS3_COMPACT_BACKUP_ERROR', null],
    ['CVN_ERROR', 'flash', 'kess3', bench, 'KESS3_GENERIC_ERROR_WITH_CODE', 'flash'],
    ['CVN_ERROR', 'obd', 'kessv2', obd, 'CVN_CORRECTION_ERROR', 'obd'],
    ['MOD_WRONG_SIZE', 'obd', 'kess3', obd, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE', 'obd'],
    ['MOD_WRONG_SIZE', 'micro', 'kess3', bench, 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT', 'micro'],
    [
      'COMPONENT_NOT_IN_PROTOCOL',
      'mapfile',
      'kess3',
      bench,
      'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
      'mapfile',
    ],
    ['COMPONENT_NOT_IN_PROTOCOL', 'micro', 'kess3', bench, 'KESS3_COMPONENT_READ_ERROR', 'micro'],
    ['TOOL_NOT_FOUND', 'G-11', 'kess3', {}, 'KESS3_TOOL_NOT_FOUND', 'G-11'],
    [
      'UNEXPECTED_TRAILING_DATA',
      null,
      'kess3',
      {},
      'KESS3_GENERIC_ERROR_WITH_CODE',
      'UNEXPECTED_TRAILING_DATA',
    ],
  ])('%s (%s) is named by %s %j %s', (code, detail, family, request, errorName, shown) => {
    const fault = nameFault(operationOf(family, request), new CodecError(code, detail));
    expect(fault).toEqual({ errorName, internalCode: code, detail: shown, sizes: null });
  });

  test.each([
    ['kessv2', 'FILE_LOAD_ERROR'],
    ['ktag', 'FILE_LOAD_ERROR'],
    ['kess3', 'KESS3_PATH_OR_FILE_NOT_FOUND'],
  ] as const)('that no longer exists is named by %s %s', (family, errorName) => {
    const fault = nameFault(operationOf(family), new NothingStored('x'));
    const detail = family === 'kess3' ? 'FILE_IO' : null;
    expect(fault).toEqual({ errorName, internalCode: 'FILE_IO', detail, sizes: null });
  });

  test('that is a size contains both sizes', () => {
    const sizes = { actual: 9, allowed: { min: 10, max: 20 } };
    const error = new CodecError('UNEXPECTED_SIZE', 'obd', sizes);
    expect(nameFault(operationOf('kessv2', obd), error)).toMatchObject({ sizes });
  });
});

test('an internal error is not blamed on the file, and shows the GUID that support needs', () => {
  const names = {
    kessv2: 'GENERIC_ERROR',
    ktag: 'GENERIC_ERROR',
    kess3: 'KESS3_GENERIC_ERROR_WITH_CODE',
  };
  for (const family of ['kessv2', 'ktag', 'kess3'] as const) {
    const operation = operationOf(family);
    expect(nameFault(operation, new Error('out of luck'))).toBeNull();
    expect(nameOwnFault(operation)).toMatchObject({ errorName: names[family], detail: guid });
  }
});

test('each text of the page for a cause can occur with that cause, under that name', () => {
  const path = join(import.meta.dirname, '../../../web/src/i18n/locales/en-US/errors.json');
  const keys = Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object);
  const own = keys.filter((key) => /^RECOD_ERROR_.+\.[A-Z_]+(?<!_TITLE)$/.test(key));
  const reached = new Set(
    internalCodes.flatMap((code) =>
      workflows.flatMap((workflow) =>
        modes.map((mode) => `RECOD_ERROR_${errorNameOf(code, { workflow, mode })}.${code}`),
      ),
    ),
  );
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((key) => !reached.has(key))).toEqual([]);
});
