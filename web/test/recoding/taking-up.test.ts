/** How a page is taken up by the operation that its address names, and which one it names. */
import { describe, expect, test } from 'vitest';
import {
  decodeOperationIn,
  inputsIn,
  writeContext,
} from '../../src/features/recoding/context-data.ts';
import { familyPages } from '../../src/features/recoding/family-pages.ts';
import { freshInputs } from '../../src/features/recoding/inputs.ts';
import { kessv2 } from '../../src/features/recoding/kessv2.ts';
import type { Flow } from '../../src/features/recoding/recoding-flow.ts';
import { idle } from '../../src/features/recoding/recoding-flow.ts';
import {
  arrivalOf,
  beginning,
  operationAwaited,
  operationShown,
  type TakenUp,
} from '../../src/features/recoding/taking-up.ts';
import {
  bootBenchResult,
  encodedResult,
  failed,
  guid,
  kessv2Result,
  operation,
  succeeded,
} from './results.ts';

const decoded = succeeded(kessv2Result);
const read = kessv2.readOf(decoded);
const encode = { asyncOperationType: 'KESSv2Encode', guid: guid(2) } as const;

function standing(flow: Flow): string {
  return flow.at === 'decoded' || flow.at === 'resumed' ? `${flow.at}/${flow.encode.at}` : flow.at;
}

describe('A page begins', () => {
  // What is taken up, where the page then stands, which operation its address names, and whether it waits.
  test.each<[string, TakenUp | null, string, string | null, boolean]>([
    ['empty with nothing', null, 'choosing', null, false],
    [
      'waiting for a running decode',
      { operation: operation(), read: null },
      'decoding',
      guid(1),
      true,
    ],
    [
      'with a decode that has ended',
      { operation: decoded, read },
      'decoded/preparing',
      guid(1),
      false,
    ],
    [
      'with a decode that has failed',
      { operation: failed('FILE_CORRUPTED'), read: null },
      'failed',
      guid(1),
      false,
    ],
    [
      'waiting for a running encode',
      { operation: operation(encode), read },
      'decoded/encoding',
      guid(2),
      true,
    ],
    [
      'with an encode that has ended',
      { operation: succeeded(encodedResult, encode), read },
      'decoded/encoded',
      guid(2),
      false,
    ],
    [
      'with an encode that has failed',
      { operation: failed('CHECKSUM_ERROR', encode), read },
      'decoded/failed',
      guid(2),
      false,
    ],
    [
      'waiting for an encode whose read is gone',
      { operation: operation(encode), read: null },
      'resumed/encoding',
      guid(2),
      true,
    ],
  ])('%s', (_, takenUp, expected, shown, isWaiting) => {
    const flow = beginning(kessv2, takenUp);
    expect(standing(flow)).toBe(expected);
    expect(operationShown(flow)).toBe(shown);
    expect(operationAwaited(flow)).toEqual(isWaiting ? { guid: shown, isResumed: true } : null);
  });
});

describe('The address', () => {
  test('names nothing while a file is chosen or uploaded', () => {
    expect(operationShown(idle)).toBeNull();
    const file = { name: 'x', size: 1 };
    expect(operationShown({ at: 'uploading', attempt: 1, file, fraction: 0 })).toBeNull();
  });
});

describe('The file that comes by itself', () => {
  test('is the decoded one after a decode and the encoded one after an encode', () => {
    const decodeArrival = arrivalOf(beginning(kessv2, { operation: decoded, read }));
    expect(decodeArrival).toEqual({ operationGUID: guid(1), url: kessv2Result.decodedFileURL });
    const encoded = { operation: succeeded(encodedResult, encode), read };
    expect(arrivalOf(beginning(kessv2, encoded))).toEqual({
      operationGUID: guid(2),
      url: encodedResult.encodedFileURL,
    });
  });

  test('is none where the family offers it instead', () => {
    const offered = { ...read, arrivesByItself: false };
    expect(arrivalOf(beginning(kessv2, { operation: decoded, read: offered }))).toBeNull();
  });
});

describe('The context of an encode', () => {
  const complete = {
    at: 'complete',
    file: { name: 'stage 1 + più.bin', size: null },
    fileGUID: guid(80),
    changes: null,
  } as const;
  const inputs = {
    parts: {
      Flash: complete,
      Micro: { at: 'ready', fault: null },
      EEPROM: { at: 'removed', kept: null },
    },
    correctsCVN: true,
    skipsChecksum: false,
  } as const;
  const bench = familyPages.kess3.readOf(succeeded(bootBenchResult));

  test('brings back the read and what was laid out for it', () => {
    const context = writeContext({ read: bench, inputs, source: 'parts' });
    expect(decodeOperationIn(context)).toBe(guid(1));
    expect(inputsIn(context, bench)).toEqual(inputs);
  });

  test('of the decoded file again bears no upload', () => {
    const laidOut = { parts: { modified: complete }, correctsCVN: false, skipsChecksum: false };
    const context = writeContext({ read, inputs: laidOut, source: 'decoded' });
    expect(inputsIn(context, read).parts).toEqual({ modified: { at: 'ready', fault: null } });
  });

  test('of another program leads nowhere', () => {
    for (const context of [null, '', '{"mine":1}']) {
      expect(decodeOperationIn(context)).toBeNull();
      expect(inputsIn(context, bench)).toEqual(freshInputs(bench));
    }
  });

  test('stays within 4 KiB however long the names are', () => {
    const long = { ...complete, file: { name: '很'.repeat(400), size: null } };
    const parts = { Flash: long, Micro: long, EEPROM: long, MapFile: long };
    const context = writeContext({ read: bench, inputs: { ...inputs, parts }, source: 'parts' });
    expect(context.length).toBeLessThan(4096);
  });
});
