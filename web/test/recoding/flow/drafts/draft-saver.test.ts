/** What the page saves with the slot, and when. */
import { Refusal } from '@recodery/contract/refusal';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import { beforeAll, describe, expect, test } from 'vitest';
import { draftCalls } from '../../../../src/features/recoding/flow/drafts/save-draft.ts';
import { beBrowser } from '../../../api/browser.ts';
import { callsTo } from '../../../api/calls-to.ts';
import { draftSaver } from '../../../../src/features/recoding/flow/drafts/draft-saver.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import { freshInputs } from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { bootBench, image } from '../../reads.ts';

const decoded: Flow = {
  at: 'decoded',
  read: image,
  encode: { at: 'preparing', inputs: freshInputs(image) },
};
const cvn = (corrects: boolean): FlowEvent => ({ type: 'cvn-switched', corrects });

/** A server whose responses the test sends manually, one after the other. */
function server() {
  const sent: EncodeDraftChange[] = [];
  const refused: EncodeDraftChange[] = [];
  const answers: { resolve: () => void; reject: (thrown: unknown) => void }[] = [];
  let pauses = 0;
  const saver = draftSaver(
    ({ draft }) => {
      sent.push(draft);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      answers.push({ resolve, reject });
      return promise;
    },
    async () => {
      pauses += 1;
    },
    ({ draft }) => refused.push(draft),
  );
  const settle = async (act: () => void): Promise<void> => {
    act();
    // the code after a response takes a few microtasks
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return {
    saver,
    sent,
    answer: () => settle(() => answers.shift()?.resolve()),
    fail: (thrown: unknown) => settle(() => answers.shift()?.reject(thrown)),
    pauses: () => pauses,
    refused,
  };
}

test('saves nothing that the server has already', () => {
  const { saver, sent } = server();
  saver.note(decoded, 1);
  saver.note(decoded, null);
  expect(sent).toEqual([]);
});

test('saves a change immediately, and only the latest of those made during a request', async () => {
  const { saver, sent, answer } = server();
  saver.note(decoded, 1);
  const on = recodingFlow(decoded, cvn(true));
  saver.note(on, null);
  expect(sent.map(({ willCorrectCVN }) => willCorrectCVN)).toEqual([true]);
  saver.note(recodingFlow(on, { type: 'checksum-switched', skips: true }), null);
  const off = recodingFlow(on, cvn(false));
  saver.note(off, null);
  expect(sent).toHaveLength(1);
  await answer();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ willCorrectCVN: false, willSkipChecksum: false });
});

test('a change of another user that the page shows is the base of its next change', () => {
  const { saver, sent } = server();
  saver.note(decoded, 1);
  const on = recodingFlow(decoded, cvn(true));
  saver.note(on, 2);
  saver.note(recodingFlow(on, { type: 'checksum-switched', skips: true }), null);
  expect(sent).toEqual([{ files: {}, willSkipChecksum: true, version: 2 }]);
});

test('omits a part that is being uploaded, so that the upload is not overwritten', () => {
  const { saver, sent } = server();
  saver.note(decoded, 1);
  const chosen: FlowEvent = {
    type: 'part-chosen',
    part: 'modified',
    attempt: 1,
    file: { name: 'stage1.bin', size: 1 },
    isEngineUp: true,
  };
  saver.note(recodingFlow(decoded, chosen), null);
  expect(sent).toEqual([]);
});

test('names the file of a part whose refused file is dismissed, so that the server forgets it', () => {
  const { saver, sent } = server();
  const file = { name: 'stage1.bin', size: 1 };
  const fault = { kind: 'refused', thrown: new Refusal('WRONG_SIZE') } as const;
  const chosen: FlowEvent = {
    ...{ type: 'part-chosen', part: 'modified', attempt: 1, file, isEngineUp: true },
  };
  saver.note(decoded, 1);
  const uploading = recodingFlow(decoded, chosen);
  saver.note(uploading, null);
  const refused = recodingFlow(uploading, { type: 'part-refused', attempt: 1, fault });
  saver.note(refused, null);
  // a further upload that is canceled dismisses nothing
  const again = recodingFlow(refused, { ...chosen, attempt: 2 });
  saver.note(again, null);
  saver.note(recodingFlow(again, { type: 'part-canceled', part: 'modified' }), null);
  expect(sent).toEqual([]);
  saver.note(recodingFlow(refused, { type: 'part-refusal-cleared', part: 'modified' }), null);
  expect(sent).toEqual([{ files: { modified: null }, version: 1 }]);
});

test('notes a file that only the page has refused, until the user dismisses it', async () => {
  const { saver, sent, answer } = server();
  const file = { name: 'stage1.zip', size: 1 };
  const fault = { kind: 'refused', thrown: new Refusal('FILE_IS_ZIP_ARCHIVE') } as const;
  saver.note(decoded, 1);
  const uploading = recodingFlow(decoded, {
    ...{ type: 'part-chosen', part: 'modified', attempt: 1, file, isEngineUp: true },
  });
  saver.note(uploading, null);
  const event = { type: 'part-refused', attempt: 1, fault, isLocal: true } as const;
  const refused = recodingFlow(uploading, event);
  saver.note(refused, null);
  const noted = { ...file, errorCode: 'FILE_IS_ZIP_ARCHIVE', details: null };
  const change = { files: { modified: null }, refused: { modified: noted }, version: 1 };
  expect(sent).toEqual([change]);
  await answer();
  saver.note(recodingFlow(refused, { type: 'part-refusal-cleared', part: 'modified' }), null);
  expect(sent.slice(1)).toEqual([{ files: { modified: null }, version: 1 }]);
});

test('does not note a file that was dismissed while the note waited to be sent', async () => {
  const { saver, sent, answer } = server();
  const file = { name: 'stage1.zip', size: 1 };
  const fault = { kind: 'refused', thrown: new Refusal('FILE_IS_ZIP_ARCHIVE') } as const;
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  const uploading = recodingFlow(decoded, {
    ...{ type: 'part-chosen', part: 'modified', attempt: 1, file, isEngineUp: true },
  });
  const refused = recodingFlow(uploading, {
    type: 'part-refused',
    attempt: 1,
    fault,
    isLocal: true,
  });
  saver.note(refused, null);
  saver.note(recodingFlow(refused, { type: 'part-refusal-cleared', part: 'modified' }), null);
  await answer();
  expect(sent).toHaveLength(2);
  expect(sent[1]?.files).toEqual({ modified: null });
  expect(sent[1]).not.toHaveProperty('refused');
});

test("uses the family's names for removals", () => {
  const { saver, sent } = server();
  const bench: Flow = {
    at: 'decoded',
    read: bootBench,
    encode: { at: 'preparing', inputs: freshInputs(bootBench) },
  };
  saver.note(bench, 1);
  saver.note(recodingFlow(bench, { type: 'part-removed', part: 'Flash', isRemoved: true }), null);
  expect(sent[0]?.removed).toEqual(['Flash', 'EEPROM']);
});

test('retries what could not be saved, unless something newer is waiting', async () => {
  const { saver, sent, fail, answer, pauses } = server();
  saver.note(decoded, 1);
  const on = recodingFlow(decoded, cvn(true));
  saver.note(on, null);
  await fail(new TypeError('Failed to fetch'));
  expect([sent.length, pauses()]).toEqual([2, 1]);
  saver.note(recodingFlow(on, cvn(false)), null);
  await fail(new Refusal('SERVICE_UNAVAILABLE'));
  expect(sent.map(({ willCorrectCVN }) => willCorrectCVN)).toEqual([true, true, false]);
  await answer();
  expect(sent).toHaveLength(3);
});

test('gives up on what the server refuses, and reports it', async () => {
  const { saver, sent, fail, pauses, refused } = server();
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  await fail(new Refusal('DRAFT_CHANGED'));
  expect([sent.length, pauses()]).toEqual([1, 0]);
  expect(refused).toEqual(sent);
});

const complete = (guid: string): Flow => {
  const chosen: FlowEvent = {
    type: 'part-chosen',
    part: 'modified',
    attempt: 1,
    file: { name: 'stage1.bin', size: 1 },
    isEngineUp: true,
  };
  const uploaded: FlowEvent = {
    type: 'part-uploaded',
    attempt: 1,
    uploaded: { fileGUID: guid, changes: null },
  };
  return [chosen, uploaded].reduce(recodingFlow, decoded);
};

test('contains only what changed here, and the version on which it is based: others may have changed the rest', async () => {
  const { saver, sent, answer } = server();
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  await answer();
  saver.note(complete('file-1'), null);
  expect(sent).toEqual([
    { files: {}, willCorrectCVN: true, version: 1 },
    { files: { modified: 'file-1' }, willCorrectCVN: false, version: 1 },
  ]);
});

test('contains the part whose upload was canceled, in case the file has arrived anyway', async () => {
  const { saver, sent } = server();
  saver.note(decoded, 1);
  const uploading = recodingFlow(decoded, {
    type: 'part-chosen',
    part: 'modified',
    attempt: 1,
    file: { name: 'stage1.bin', size: 1 },
    isEngineUp: true,
  });
  saver.note(uploading, null);
  saver.note(recodingFlow(uploading, { type: 'part-canceled', part: 'modified' }), null);
  expect(sent.at(-1)?.files).toEqual({ modified: null });
});

test('sends what is waiting when the user leaves the page', () => {
  const { saver, sent } = server();
  saver.note(decoded, 1);
  const on = recodingFlow(decoded, cvn(true));
  saver.note(on, null);
  saver.note(recodingFlow(on, cvn(false)), null);
  expect(saver.flush()?.draft).toMatchObject({ willCorrectCVN: false });
  expect(sent.map(({ willCorrectCVN }) => willCorrectCVN)).toEqual([true, false]);
});

test('returns what the server may not have when the user leaves the page', async () => {
  const { saver, answer } = server();
  saver.note(decoded, 1);
  expect(saver.flush()).toBeNull();
  saver.note(recodingFlow(decoded, cvn(true)), null);
  expect(saver.flush()).toMatchObject({
    slotGUID: image.slotGUID,
    draft: { willCorrectCVN: true },
  });
  await answer();
  expect(saver.flush()).toBeNull();
});

test('saves nothing more once another draft has replaced it', async () => {
  const { saver, sent, fail } = server();
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  saver.stop();
  await fail(new TypeError('Failed to fetch'));
  saver.note(complete('file-1'), null);
  saver.flush();
  expect(sent).toHaveLength(1);
});

test('reports that all is saved only after the last change', async () => {
  const { saver, answer } = server();
  const saved: string[] = [];
  await saver.saved();
  saver.note(decoded, 1);
  const on = recodingFlow(decoded, cvn(true));
  saver.note(on, null);
  void saver.saved().then(() => saved.push('saved'));
  saver.note(recodingFlow(on, cvn(false)), null);
  await answer();
  expect(saved).toEqual([]);
  await answer();
  expect(saved).toEqual(['saved']);
});

test('reports immediately that it could not be saved, and later that it was', async () => {
  const { saver, answer, fail } = server();
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  const first = saver.saved();
  void fail(new TypeError('Failed to fetch'));
  await expect(first).rejects.toThrow('Failed to fetch');
  await answer();
  await saver.saved();
});

test('reports that all is saved when the server refuses it: nothing waits', async () => {
  const { saver, fail } = server();
  saver.note(decoded, 1);
  saver.note(recodingFlow(decoded, cvn(true)), null);
  const first = saver.saved();
  await fail(new Refusal('NOT_FOUND'));
  await expect(first).resolves.toBeUndefined();
});

// promise 5.refused.kept
describe('after others have changed the file of a part', () => {
  beforeAll(() => beBrowser('http://127.0.0.1'));
  const noteOf = (name: string) => ({ name, size: 1, errorCode: 'WRONG_SIZE', details: null });

  /** What is sent of a change when the server reports that the file of `modified` was changed. */
  async function sentOf(draft: EncodeDraftChange): Promise<unknown[]> {
    const change = {
      field: 'file',
      part: 'modified',
      version: 2,
      userDisplayName: 'Carla',
    } as const;
    const conflicts = [{ ...change, changedOn: '2026-11-27T08:00:00.000Z' }];
    const sent: unknown[] = [];
    const { save } = draftCalls(
      callsTo(async (_route, { body }) => {
        sent.push(body);
        if (sent.length === 1) throw new Refusal('DRAFT_CHANGED', { version: 2, conflicts });
      }),
    );
    await expect(save({ slotGUID: 'slot-1', draft })).rejects.toThrow('DRAFT_CHANGED');
    return sent.slice(1);
  }

  test('saves the rest without the note about that part', async () => {
    const rest = { files: { original: null }, refused: { original: noteOf('original.zip') } };
    const draft: EncodeDraftChange = {
      files: { modified: null, ...rest.files },
      refused: { modified: noteOf('stage1.zip'), ...rest.refused },
      willCorrectCVN: true,
      version: 1,
    };
    expect(await sentOf(draft)).toEqual([{ ...rest, willCorrectCVN: true, version: 1 }]);
  });

  test('saves nothing more if only that part and its note have changed', async () => {
    const draft = { files: { modified: null }, refused: { modified: noteOf('stage1.zip') } };
    expect(await sentOf({ ...draft, version: 1 })).toEqual([]);
  });
});
