/** Rows of a tray whose file was refused, and rows that can be encoded again. */
import { loadPage } from '../../src/features/recoding/families/registry.ts';
import { Refusal } from '@recodery/contract/refusal';
import type { EncodeDraft } from '@recodery/contract/features/slots';
import type { TrayFile } from '@recodery/contract/features/trays';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TextOf } from '../../src/i18n/texts.ts';
import { badgeOf, noteOf } from '../../src/features/trays/rows/row-words.ts';
import {
  contextOf,
  encodableOf,
  encodeKey,
  imageKey,
  isReady,
  rowsOf,
} from '../../src/features/trays/tray-rows.ts';
import { type Pages, withPages } from '../../src/features/trays/tray-query.ts';
import type { JobState } from '../../src/features/trays/work-queue.ts';
import { bootBenchResult, failed, guid, operation, succeeded } from '../recoding/results.ts';
import { draft, fileOf, decoded, encodeResult, asEncode, trayOf, queued } from './tray-files.ts';

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
