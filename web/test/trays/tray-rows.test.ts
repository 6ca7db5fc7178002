/** What a tray shows of each file, from the record of the server and the jobs of this tab. */
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { Refusal } from '@recodery/contract/refusal';
import type { EncodeDraft } from '@recodery/contract/features/slots';
import type { Tray, TrayFile } from '@recodery/contract/features/trays';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TextOf } from '../../src/i18n/texts.ts';
import { badgeOf, noteOf } from '../../src/features/trays/rows/row-words.ts';
import {
  contextOf,
  countOldSeals,
  encodableOf,
  encodeKey,
  imageKey,
  isReady,
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

const changes = { bytes: 2, regions: 1, size: 4096, fraction: 0.1, spans: [] };
const emptyDraft: EncodeDraft = {
  files: [],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
};
const modified = { part: 'modified', fileGUID: guid(80), name: 'tune.bin', size: 4096, changes };
const draft = { ...emptyDraft, files: [modified] };

function fileOf(differs: Partial<TrayFile> = {}): TrayFile {
  return {
    guid: guid(1),
    name: 'read.k2r',
    size: 4200,
    sha256: 'a'.repeat(64),
    workflow: 'kessv2',
    error: null,
    slotGUID: null,
    decode: null,
    encode: null,
    images: [],
    draft: null,
    ...differs,
  };
}

const decoded = (differs: Partial<TrayFile> = {}): TrayFile =>
  fileOf({
    slotGUID: guid(50),
    decode: succeeded(kessv2Result),
    images: [{ name: 'read.bin', size: 4096, sha256: 'b'.repeat(64) }],
    draft: emptyDraft,
    ...differs,
  });

const encodeResult = {
  name: 'read.mod',
  encodedFileURL: '/api/files/x',
  fileGUID: guid(90),
  size: 4200,
  sha256: 'c'.repeat(64),
  correctedChecksums: 1,
  warnings: [],
  receiptCode: null,
};
const asEncode = { asyncOperationType: 'KESSv2Encode', guid: guid(30) } as const;

const trayOf = (...files: TrayFile[]): Tray => ({
  guid: guid(9),
  name: null,
  createdOn: '2026-11-21T10:00:00.000Z',
  parallelOperations: 3,
  files,
});

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

const queued = { at: 'queued' } as const;

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

// promise 4.tray.refused
describe('a row whose file was refused', () => {
  const thrown = new Refusal('FILE_NOT_COMPATIBLE_WITH_READ_FILE');
  const keys = ((key: string) => key) as TextOf;
  const key = imageKey(guid(1), 'modified');
  const fault = { kind: 'refused', thrown } as const;
  const job = { [key]: { at: 'refused', fault, fileName: 'stage1.bin' } } as const;
  const noted = {
    ...{ part: 'modified', name: 'stage1.bin', size: 7, errorCode: thrown.code },
    ...{ details: null, diagnosis: null, refusedOn: '2026-11-27T08:00:00.000Z' },
  };
  const none = { ...draft, files: [] };

  /** In the tab that sent it, and in any other: only the server's draft names it there. */
  const everywhere: readonly (readonly [
    string,
    Readonly<Record<string, JobState>>,
    { readonly none: EncodeDraft | null; readonly draft: EncodeDraft },
  ])[] = [
    ['this tab knows of', job, { none: null, draft }],
    [
      'the server has noted',
      {},
      { none: { ...none, refused: [noted] }, draft: { ...draft, refused: [noted] } },
    ],
  ];

  test.each(everywhere)(
    'is not encoded until the file that %s is removed or replaced, also with an earlier file',
    (_, refused, drafts) => {
      expect(encodeOf(decoded({ draft: drafts.none }), refused).at).toBe('refused');
      const row = rowOf(decoded({ draft: drafts.draft }), refused);
      expect(encodeOf(decoded({ draft: drafts.draft }), refused).at).toBe('refused');
      expect(encodableOf(row)).toBeNull();
      expect(isReady(row)).toBe(false);
      expect(isReady(rowOf(decoded({ draft })))).toBe(true);
    },
  );

  test.each(everywhere)(
    'is never shown as complete, also after a file before the one that %s was encoded',
    (_, refused, drafts) => {
      const { state } = rowOf(decoded({ draft }));
      if (state.at !== 'decoded') throw new Error('it is not decoded');
      const contextData = contextOf(state.read, state.inputs);
      const encode = succeeded(encodeResult, { ...asEncode, contextData });
      expect(encodeOf(decoded({ draft: drafts.draft, encode }), refused).at).toBe('encoded');
      const files = [
        decoded({ draft: drafts.none }),
        decoded({ draft: drafts.draft }),
        decoded({ draft: drafts.draft, encode }),
      ];
      for (const file of files) {
        const shown = stateOf(file, refused);
        expect(badgeOf(shown).state).toBe('modified');
        expect(noteOf(keys, shown)).toBe('tray.refused.row');
        expect(shown).toMatchObject({
          images: [{ refused: { name: 'stage1.bin', fault: { thrown: { code: thrown.code } } } }],
        });
      }
      expect(badgeOf(stateOf(decoded({ draft, encode }))).state).toBe('good');
    },
  );

  test('waits for the next file while that is uploading', () => {
    const file = decoded({ draft: { ...none, refused: [noted] } });
    expect(encodeOf(file, { [key]: queued }).at).toBe('uploading');
  });

  test('also waits if the component is left out by default', () => {
    const bench = {
      workflow: 'kess3',
      decode: succeeded(bootBenchResult, { asyncOperationType: 'KESS3Decode' }),
    } as const;
    const refused = [{ ...noted, part: 'EEPROM' }];
    const file = decoded({ ...bench, draft: { ...none, removed: null, refused } });
    expect(encodeOf(file).at).toBe('refused');
    // and if a user has left it out
    const removed = ['EEPROM'];
    expect(encodeOf(decoded({ ...bench, draft: { ...none, removed, refused } })).at).toBe(
      'refused',
    );
  });
});

describe('the files of a row can be encoded', () => {
  const thrown = new Refusal('SERVICE_UNAVAILABLE');
  const job = (reason: unknown) =>
    ({
      [encodeKey(guid(1))]: {
        at: 'refused',
        fault: { kind: 'refused', thrown: reason },
        fileName: 'a.tfc',
      },
    }) as const;
  const contextData = () => {
    const { state } = rowOf(decoded({ draft }));
    return state.at === 'decoded' ? contextOf(state.read, state.inputs) : '';
  };

  test('again after a temporary failure, and not after any other', () => {
    expect(isReady(rowOf(decoded({ draft })))).toBe(true);
    expect(isReady(rowOf(decoded({ draft }), job(thrown)))).toBe(true);
    expect(isReady(rowOf(decoded({ draft }), job(new Refusal('USER_NO_RIGHTS'))))).toBe(false);
    expect(isReady(rowOf(decoded(), job(thrown)))).toBe(false);
    const of = { ...asEncode, contextData: contextData() };
    const isAgain = (name: 'GENERIC_ERROR' | 'WRONG_SIZE') =>
      isReady(rowOf(decoded({ draft, encode: failed(name, of) })));
    expect([isAgain('GENERIC_ERROR'), isAgain('WRONG_SIZE')]).toEqual([true, false]);
  });

  test('not while the server already encodes or has encoded exactly these', () => {
    const of = { ...asEncode, contextData: contextData() };
    expect(encodableOf(rowOf(decoded({ draft, encode: operation(of) })))).toBeNull();
    const done = succeeded(encodeResult, of);
    expect(encodableOf(rowOf(decoded({ draft, encode: done })))).toBeNull();
    expect(encodeOf(decoded({ draft, encode: done }), job(thrown)).at).toBe('encoded');
    const other = succeeded(encodeResult, { ...asEncode, contextData: 'of an earlier file' });
    expect(encodableOf(rowOf(decoded({ draft, encode: other })))).not.toBeNull();
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
