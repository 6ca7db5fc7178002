/** What a tray shows of each file, from the record of the server and the jobs of this tab. */
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { Refusal } from '@recodery/contract/refusal';
import type { TrayFile } from '@recodery/contract/features/trays';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  contextOf,
  countOldSeals,
  encodeKey,
  imageKey,
  readKey,
  rowsOf,
  totalsOf,
  phaseOf,
  type Row,
} from '../../src/features/trays/tray-rows.ts';
import {
  type Pages,
  runningOperations,
  withDecode,
  withOperation,
  withPages,
} from '../../src/features/trays/tray-query.ts';
import type { JobState } from '../../src/features/trays/work-queue.ts';
import {
  bootBenchResult,
  failed,
  guid,
  kessv2Result,
  operation,
  succeeded,
} from '../recoding/results.ts';
import {
  modified,
  draft,
  fileOf,
  decoded,
  encodeResult,
  asEncode,
  trayOf,
  queued,
} from './tray-files.ts';

let pages: Pages;
beforeAll(async () => {
  const needed = trayOf(fileOf(), fileOf({ workflow: 'kess3' }), fileOf({ workflow: null }));
  ({ pages } = await withPages(loadPage, needed));
});

function rowOf(file: TrayFile, jobs: Readonly<Record<string, JobState>> = {}) {
  const [row] = rowsOf({ tray: trayOf(file), pages }, new Map(Object.entries(jobs)));
  if (row === undefined) throw new Error('there is no row');
  return row;
}
const stateOf = (...given: Parameters<typeof rowOf>) => rowOf(...given).state;

function encodeOf(...given: Parameters<typeof rowOf>) {
  const state = stateOf(...given);
  if (state.at !== 'decoded') throw new Error(`it is ${state.at}`);
  return state.encode;
}

describe('a file that is not decoded', () => {
  // promise 4.tray.reload
  test('must be dropped again if this tab does not have it', () => {
    expect(stateOf(fileOf()).at).toBe('missing');
  });

  test('waits, is uploaded, and is decoded', () => {
    const job = readKey(guid(1));
    expect(stateOf(fileOf(), { [job]: queued })).toEqual(queued);
    const sending = { at: 'sending', fraction: 0.4 } as const;
    expect(stateOf(fileOf(), { [job]: sending })).toEqual({ at: 'uploading', fraction: 0.4 });
    expect(stateOf(fileOf({ decode: operation() }))).toEqual({ at: 'decoding', fraction: 0.5 });
  });

  test('shows why: its decode, its upload, or what the page found', () => {
    const fault = { kind: 'lost', operationGUID: guid(1) } as const;
    const refused = { [readKey(guid(1))]: { at: 'refused', fault, fileName: 'a.tfc' } } as const;
    expect(stateOf(fileOf({ decode: failed('FILE_CORRUPTED') }))).toMatchObject({
      at: 'failed',
      fault: { kind: 'failed', error: { errorName: 'FILE_CORRUPTED' } },
    });
    expect(stateOf(fileOf(), refused)).toEqual({ at: 'failed', fault });
    expect(stateOf(fileOf({ workflow: null, error: 'ENCODED_FILE' }))).toMatchObject({
      fault: { kind: 'misplaced', what: 'encoded-file' },
    });
  });

  test('is decoded again after it failed and was dropped again', () => {
    const file = fileOf({ decode: failed('FILE_CORRUPTED') });
    expect(stateOf(file, { [readKey(guid(1))]: queued }).at).toBe('queued');
  });
});

// promise 4.tray.encode
describe('the encode of a file', () => {
  test('needs a modified file', () => {
    expect(encodeOf(decoded()).at).toBe('none');
    expect(encodeOf(decoded(), { [imageKey(guid(1), 'modified')]: queued }).at).toBe('uploading');
    expect(encodeOf(decoded({ draft })).at).toBe('ready');
  });

  test('also needs the original where the family requires it', () => {
    const needing = { ...kessv2Result, isOriginalFileNeeded: true };
    expect(encodeOf(decoded({ decode: succeeded(needing), draft })).at).toBe('missing');
  });

  test('waits, runs, and ends', () => {
    const [row] = [rowOf(decoded({ draft }))];
    if (row.state.at !== 'decoded') throw new Error('it is not decoded');
    const contextData = contextOf(row.state.read, row.state.inputs);
    const encode = (of: typeof operation, ...given: Parameters<typeof operation>) =>
      encodeOf(decoded({ draft, encode: of(...given) }));
    expect(encodeOf(decoded({ draft }), { [encodeKey(guid(1))]: queued }).at).toBe('queued');
    expect(encode(operation, { ...asEncode, contextData })).toMatchObject({ at: 'encoding' });
    const done = succeeded(encodeResult, { ...asEncode, contextData });
    expect(encodeOf(decoded({ draft, encode: done }))).toMatchObject({ at: 'encoded' });
    const failure = failed('WRONG_SIZE', { ...asEncode, contextData });
    expect(encodeOf(decoded({ draft, encode: failure }))).toMatchObject({ at: 'failed' });
  });

  test('is offered again when another modified file was added', () => {
    const done = succeeded(encodeResult, { ...asEncode, contextData: 'of an earlier file' });
    expect(encodeOf(decoded({ draft, encode: done })).at).toBe('ready');
  });

  test('uses a component that is removed by default only if it has a file', () => {
    const bench = {
      workflow: 'kess3',
      decode: succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }),
    } as const;
    const eeprom = { ...modified, part: 'EEPROM' };
    expect(encodeOf(decoded({ ...bench, draft: { ...draft, files: [eeprom] } })).at).toBe('none');
    const wanted = { ...draft, files: [eeprom], removed: [] };
    expect(encodeOf(decoded({ ...bench, draft: wanted })).at).toBe('ready');
  });
});

test('counts the sealed files that a single download would seal again, expired ones apart, as time passes', () => {
  const sealedOn = '2026-11-28T00:00:00.000Z';
  const at = (hour: string) => `2026-11-28T${hour}.000Z`;
  const sealing = (fresh: string, end: string) =>
    fileOf({ sealing: { sealedOn, freshUntil: at(fresh), expiresOn: at(end) } });
  const files = [sealing('06:00:00', '12:00:00'), sealing('07:00:00', '14:00:00')];
  const tray = trayOf(...files, fileOf({ sealing: null }), fileOf());
  const countAt = (hour: string) => countOldSeals(tray, new Date(at(hour)));
  expect(['06:00:00', '06:00:01', '07:00:01', '12:00:01', '14:00:01'].map(countAt)).toEqual([
    { expired: 0, old: 0 },
    { expired: 0, old: 1 },
    { expired: 0, old: 2 },
    { expired: 1, old: 1 },
    { expired: 2, old: 0 },
  ]);
});

test('counts the files in each state', () => {
  const rows = rowsOf(
    {
      tray: trayOf(
        fileOf(),
        fileOf({ decode: operation() }),
        fileOf({ decode: failed('FILE_CORRUPTED') }),
        decoded(),
        decoded({ draft }),
      ),
      pages,
    },
    new Map(),
  );
  expect(totalsOf(rows)).toEqual({
    files: 5,
    undecoded: 2,
    decoded: 2,
    failed: 1,
    missing: 1,
    working: 1,
    ready: 1,
    asked: 0,
    encoded: 0,
  });
});

test('counts a row that lacks a refused file as failed, although it was encoded', () => {
  const { state } = rowOf(decoded({ draft }));
  if (state.at !== 'decoded') throw new Error(`it is ${state.at}`);
  const encode = succeeded(encodeResult, {
    ...asEncode,
    contextData: contextOf(state.read, state.inputs),
  });
  const fault = { kind: 'refused', thrown: new Refusal('WRONG_SIZE') } as const;
  const refused = {
    [imageKey(guid(1), 'modified')]: { at: 'refused', fault, fileName: 'a.bin' },
  } as const;
  const rows = [rowOf(decoded({ draft, encode }), refused), rowOf(decoded({ draft }), refused)];
  expect(totalsOf(rows)).toMatchObject({ encoded: 0, failed: 2, ready: 0 });
  expect(phaseOf(rows)).toEqual({ name: 'encode', done: 2, files: 2, failed: 2 });
  expect(totalsOf([rowOf(decoded({ draft, encode }))])).toMatchObject({ encoded: 1, failed: 0 });
});

describe('an event of an operation', () => {
  const tray = trayOf(
    fileOf({ slotGUID: guid(50), decode: operation() }),
    fileOf({ guid: guid(2) }),
  );

  test('changes the file that it decodes or encodes, and no other', () => {
    const next = withOperation(tray, succeeded(kessv2Result));
    expect(next.files.map(({ decode }) => decode?.status)).toEqual(['succeeded', undefined]);
    const encode = operation(asEncode);
    expect(withOperation(tray, encode).files[0]?.encode).toBe(encode);
    expect(withOperation(tray, operation({ guid: guid(77), slotGUID: guid(78) }))).toBe(tray);
  });

  test('does not replace a newer encode', () => {
    const newer = operation({ ...asEncode, startedOn: '2026-11-21T11:00:00.000Z' });
    const older = operation({ ...asEncode, guid: guid(31) });
    expect(withOperation(withOperation(tray, newer), older).files[0]?.encode).toBe(newer);
  });

  test('of an accepted upload gives the file its operation', () => {
    const next = withDecode(tray, guid(2), operation({ guid: guid(40) }));
    expect(next.files[1]?.decode?.guid).toBe(guid(40));
    expect([runningOperations(tray), runningOperations(next)]).toEqual([1, 2]);
  });
});

// promise 4.tray.phase
describe('the phase of a tray', () => {
  const phase = (...states: readonly Partial<Row['state']>[]) =>
    phaseOf(states.map((state) => ({ file: fileOf(), state }) as Row));
  const decoded = (at: string, images: readonly unknown[] = []) =>
    ({ at: 'decoded', encode: { at }, images }) as unknown as Row['state'];
  const added = { job: null, refused: null };

  test('is the decode while a read is not decoded, and before anything else was done', () => {
    expect(phase({ at: 'decoding' }, { at: 'failed' }, decoded('none'))).toEqual({
      name: 'decode',
      done: 2,
      files: 3,
      failed: 1,
    });
    expect(phase(decoded('none'), { at: 'missing' })).toMatchObject({ name: 'decode', done: 1 });
  });

  test('is the adding of modified files until an encode was started', () => {
    const refused = { job: { at: 'refused' }, refused: { name: null } };
    const sending = { job: { at: 'sending' }, refused: null };
    expect(phase(decoded('uploading', [added, sending, refused]))).toEqual({
      name: 'add',
      done: 2,
      files: 3,
      failed: 1,
    });
    expect(phase(decoded('ready', [added]))).toMatchObject({ name: 'add', done: 1, files: 1 });
  });

  test('is the encode afterward', () => {
    const states = ['encoded', 'encoding', 'failed', 'asked', 'ready'] as const;
    expect(phase(...states.map((at) => decoded(at, [added])))).toEqual({
      name: 'encode',
      done: 2,
      files: 4,
      failed: 1,
    });
  });
});
