/** How a page resumes the operation in its address, and which operation it puts there. */
import { describe, expect, test } from 'vitest';
import type { OnShow } from '../../../../src/features/notifications/seen-here.ts';
import {
  type Flow,
  idle,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import {
  arrivalOf,
  beginning,
  operationAwaited,
  operationFollowed,
  operationOnShow,
  operationSent,
  operationShown,
  type Resumed,
} from '../../../../src/features/recoding/flow/state/resume-operation.ts';
import { encodedResult, failed, guid, kessv2Result, operation, succeeded } from '../../results.ts';
import { notification } from '../../../notifications/notification.ts';
import { loadPage } from '../../../../src/features/recoding/families/registry.ts';

const kessv2 = await loadPage('kessv2');

const decoded = succeeded(kessv2Result);
const read = kessv2.readOf(decoded);
const draft = {
  slotGUID: kessv2Result.kessv2SlotGUID,
  files: [],
  removed: null,
  willCorrectCVN: false,
  willSkipChecksum: false,
  version: 1,
  changes: [],
};
const slot = { read, draft, encoded: [] };
const encode = { asyncOperationType: 'KESSv2Encode', guid: guid(2) } as const;
const sent = {
  ...encode,
  contextData: `decodeOperationGUID=${guid(1)}&sentTo=garage%40rossi.test`,
} as const;

function stateOf(flow: Flow): string {
  return flow.at === 'decoded' || flow.at === 'resumed' ? `${flow.at}/${flow.encode.at}` : flow.at;
}

// promise 4.resume.reload
test('a page that resumes a running or failed decode shows the name of the read file', () => {
  const readFile = { name: 'golf.tfc', size: 4096 };
  const running = beginning(kessv2, { operation: operation(), readFile, slot: null });
  expect(running).toMatchObject({ at: 'decoding', file: readFile });
  const gone = { operation: failed('FILE_CORRUPTED'), readFile, slot: null };
  expect(beginning(kessv2, gone)).toMatchObject({ at: 'failed', file: readFile });
});

describe('a page starts', () => {
  // What is resumed, the resulting state of the page, the operation in its address, and whether it waits.
  // promise 4.resume.decode, 4.resume.encode, 4.resume.encode-without-read
  test.each<[string, Resumed | null, string, string | null, boolean]>([
    ['empty without an operation', null, 'choosing', null, false],
    [
      'waiting for a running decode',
      { operation: operation(), readFile: null, slot: null },
      'decoding',
      guid(1),
      true,
    ],
    [
      'with a finished decode',
      { operation: decoded, readFile: null, slot },
      'decoded/preparing',
      guid(1),
      false,
    ],
    [
      'with a failed decode',
      { operation: failed('FILE_CORRUPTED'), readFile: null, slot: null },
      'failed',
      guid(1),
      false,
    ],
    [
      'waiting for a running encode',
      { operation: operation(encode), readFile: null, slot },
      'decoded/encoding',
      guid(2),
      true,
    ],
    [
      'with a finished encode',
      { operation: succeeded(encodedResult, encode), readFile: null, slot },
      'decoded/encoded',
      guid(2),
      false,
    ],
    [
      'with a failed encode',
      { operation: failed('CHECKSUM_ERROR', encode), readFile: null, slot },
      'decoded/failed',
      guid(2),
      false,
    ],
    [
      'with a finished encode that was sent',
      { operation: succeeded(encodedResult, sent), readFile: null, slot },
      'decoded/encoded',
      guid(2),
      false,
    ],
    [
      'with a failed encode that was to be sent',
      { operation: failed('CHECKSUM_ERROR', sent), readFile: null, slot },
      'decoded/failed',
      guid(2),
      false,
    ],
    [
      'waiting for an encode whose read was deleted',
      { operation: operation(encode), readFile: null, slot: null },
      'resumed/encoding',
      guid(2),
      true,
    ],
  ])('%s', (_, resumed, expected, shown, isWaiting) => {
    const flow = beginning(kessv2, resumed);
    expect(stateOf(flow)).toBe(expected);
    expect(operationShown(flow)).toBe(shown);
    expect(operationAwaited(flow)).toEqual(isWaiting ? { guid: shown, isResumed: true } : null);
  });
});

test('a resumed read still has the size of its file', () => {
  const flow = beginning(kessv2, { operation: decoded, readFile: null, slot });
  expect(flow).toMatchObject({
    read: { readFile: { name: 'read.kv2', size: kessv2Result.readFileSize } },
  });
});

describe('the address', () => {
  test('contains no operation while a file is chosen or uploaded', () => {
    expect(operationShown(idle)).toBeNull();
    const file = { name: 'x', size: 1 };
    expect(operationShown({ at: 'uploading', attempt: 1, file, fraction: 0 })).toBeNull();
  });
});

describe('the displayed operation', () => {
  test.each<[string, Resumed | null, OnShow | null]>([
    ['is none on an empty page', null, null],
    [
      'has not ended while the page waits for it',
      { operation: operation(), readFile: null, slot: null },
      { guid: guid(1), hasEnded: false },
    ],
    [
      'has ended with its result',
      { operation: decoded, readFile: null, slot },
      { guid: guid(1), hasEnded: true },
    ],
    [
      'has ended with its error',
      { operation: failed('FILE_CORRUPTED'), readFile: null, slot: null },
      { guid: guid(1), hasEnded: true },
    ],
    [
      'is the encode, not its read',
      { operation: operation(encode), readFile: null, slot },
      { guid: guid(2), hasEnded: false },
    ],
    [
      'is the encode with its file',
      { operation: succeeded(encodedResult, encode), readFile: null, slot },
      { guid: guid(2), hasEnded: true },
    ],
    [
      'is the encode with its error',
      { operation: failed('WRONG_SIZE', encode), readFile: null, slot },
      { guid: guid(2), hasEnded: true },
    ],
  ])('%s', (_, resumed, expected) => {
    expect(operationOnShow(beginning(kessv2, resumed))).toEqual(expected);
  });

  test('is none if its result is unknown', () => {
    const fault = { kind: 'lost', operationGUID: guid(1) } as const;
    expect(operationOnShow({ at: 'failed', file: null, fault, goesTo: null })).toBeNull();
  });

  test('is the encode that was sent by email; it has ended when the page shows the status of the email', () => {
    const running = beginning(kessv2, { operation: operation(sent), readFile: null, slot });
    expect(stateOf(running)).toBe('decoded/sent');
    const ended = beginning(kessv2, {
      operation: succeeded(encodedResult, sent),
      readFile: null,
      slot,
    });
    expect([running, ended].map(operationSent)).toEqual([guid(2), guid(2)]);
    const news = (status: 'waiting' | 'sent' | 'failed') =>
      recodingFlow(ended, {
        type: 'sending-reported',
        news: {
          ...notification({ guid: guid(2), isSuccessful: true }),
          mail: {
            email: 'garage@rossi.test',
            status,
            failure: null,
            sentOn: null,
            way: null,
            firstDownloadOn: null,
          },
        },
      });
    const shown = [running, ended, news('waiting'), news('sent'), news('failed')];
    expect(shown.map(operationOnShow)).toEqual(
      [false, false, false, true, true].map((hasEnded) => ({ guid: guid(2), hasEnded })),
    );
  });
});

describe('an encode that was sent and is still running', () => {
  const running = beginning(kessv2, { operation: operation(sent), readFile: null, slot });

  test("is followed on the page that opens it, because the notification may be a colleague's, but not waited for", () => {
    expect(operationFollowed(running)).toEqual({
      guid: guid(2),
      isResumed: true,
      isAwaited: false,
    });
    expect(operationAwaited(running)).toBeNull();
    const events = [
      { type: 'sending-reported', news: notification({ guid: guid(2), isSuccessful: true }) },
      { type: 'encode-ended', operationGUID: guid(2), result: encodedResult },
    ] as const;
    for (const event of events) expect(operationFollowed(recodingFlow(running, event))).toBeNull();
  });

  test('is not followed on the page that sent it, which shows its notification', () => {
    const file = { name: 'stage1.bin', size: 4096 };
    const recipient = { email: 'garage@rossi.test', message: null, isPrivate: true };
    const events = [
      { type: 'part-chosen', part: 'modified', attempt: 1, file, isEngineUp: true },
      {
        type: 'part-uploaded',
        attempt: 1,
        uploaded: { fileGUID: guid(80), changes: null },
      },
      { type: 'send-asked', source: 'parts' },
      { type: 'send-confirmed', recipient, attempt: 2 },
      { type: 'encode-accepted', attempt: 2, operationGUID: guid(2) },
    ] as const;
    const prepared = beginning(kessv2, { operation: decoded, readFile: null, slot });
    const flow = events.reduce<Flow>(recodingFlow, prepared);
    expect(stateOf(flow)).toBe('decoded/sent');
    expect(operationFollowed(flow)).toBeNull();
  });

  test('is followed and waited for if it was not sent', () => {
    const flow = beginning(kessv2, { operation: operation(encode), readFile: null, slot });
    expect(operationFollowed(flow)).toEqual({ guid: guid(2), isResumed: true, isAwaited: true });
  });
});

describe('the automatic download', () => {
  // promise 4.decode.kessv2-comes, 4.encode.file-comes
  test('is the decoded file after a decode and the encoded one after an encode', () => {
    const decodeArrival = arrivalOf(
      beginning(kessv2, { operation: decoded, readFile: null, slot }),
    );
    expect(decodeArrival).toEqual({ operationGUID: guid(1), url: kessv2Result.decodedFileURL });
    const encoded = { operation: succeeded(encodedResult, encode), readFile: null, slot };
    expect(arrivalOf(beginning(kessv2, encoded))).toEqual({
      operationGUID: guid(2),
      url: encodedResult.encodedFileURL,
    });
  });

  test('is not the encoded file if it was sent', () => {
    const ended = { operation: succeeded(encodedResult, sent), readFile: null, slot };
    expect(arrivalOf(beginning(kessv2, ended))?.url).not.toBe(encodedResult.encodedFileURL);
  });

  // promise 4.decode.kess3-comes
  test('is none if the family offers the file instead', () => {
    const offered = { ...read, arrivesByItself: false };
    expect(
      arrivalOf(
        beginning(kessv2, {
          operation: decoded,
          readFile: null,
          slot: { read: offered, draft, encoded: [] },
        }),
      ),
    ).toBeNull();
  });
});
