/** Files that were refused: what the page shows of them, and until when. */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import { mayEncode } from '../../../../src/features/recoding/flow/state/encode-flow.ts';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  inputsOfDraft,
  refusedParts,
  withUploads,
} from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { backup, image } from '../../reads.ts';
import {
  tune,
  after,
  choosePart,
  partUploaded,
  partRefused,
  encode,
  encodeAccepted,
  encodeEnded,
  decoded,
  inputsIn,
  partsOf,
  partStates,
} from './flow-steps.ts';

describe('a refused component', () => {
  const refusedEeprom = [...decoded(backup), choosePart('eeprom', 2), partRefused(2)];

  test('is named until its cause is fixed', () => {
    const flow = after(...refusedEeprom);
    if (flow.at !== 'decoded') throw new Error('not decoded');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
    expect(mayEncode(backup, flow.encode.inputs)).toBe(true);
  });

  test('is forgotten once the same file is in its own place', () => {
    const flow = after(...refusedEeprom, choosePart('flash', 3), partUploaded(3));
    expect(partsOf(flow)).toMatchObject({
      flash: { at: 'complete' },
      eeprom: { at: 'ready', refused: null },
    });
  });

  test('stays refused after its error is closed, until another file is chosen', () => {
    const flow = after(...refusedEeprom, { type: 'part-refusal-noted', part: 'eeprom' });
    expect(partsOf(flow)['eeprom']).toMatchObject({ refused: { file: tune, isNoted: true } });
    if (flow.at !== 'decoded') throw new Error('nothing is decoded');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
    const chosen = recodingFlow(flow, choosePart('eeprom', 3));
    expect(partStates(chosen)['eeprom']).toBe('uploading');
    expect(refusedParts(flow.encode.inputs).missing).toEqual(['eeprom']);
  });

  test('stays refused when another file is uploaded for another component', () => {
    const other: FlowEvent = {
      type: 'part-chosen',
      part: 'flash',
      attempt: 3,
      file: { name: 'other.bin', size: 4096 },
      isEngineUp: true,
    };
    const flow = after(...refusedEeprom, other, partUploaded(3));
    expect(partsOf(flow)['eeprom']).toMatchObject({ refused: { file: tune } });
  });

  test('shows no error if the encode continues without it', () => {
    const flow = after(...refusedEeprom, encode, encodeAccepted, encodeEnded);
    expect(partsOf(flow)['eeprom']).toEqual({ at: 'ready', refused: null });
  });
});

// promise 5.refused.kept
describe('a refused file that the server has noted', () => {
  const wrong = { name: 'stage2.bin', size: 4096 };
  const noted = {
    ...{ part: 'modified', ...wrong, errorCode: 'WRONG_SIZE', details: null, diagnosis: null },
    refusedOn: '2026-11-27T08:00:00.000Z',
  };
  const nothing = { files: [], removed: null, willCorrectCVN: false, willSkipChecksum: false };
  const follow = (flow: Flow, draft: Parameters<typeof inputsOfDraft>[1]): Flow => {
    const from = inputsIn(flow);
    const to = withUploads(inputsOfDraft(image, draft), from);
    return recodingFlow(flow, { type: 'draft-changed', from, to, version: 2, news: [] });
  };
  const refusedIn = (flow: Flow) => refusedParts(inputsIn(flow));
  const open = after(...decoded(image));

  test('is shown by a page that is reloaded, with its reason, and asked about before an encode', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    expect(partsOf(flow)['modified']).toMatchObject({
      at: 'ready',
      refused: { file: wrong, fault: { thrown: { code: 'WRONG_SIZE' } } },
    });
    expect(refusedIn(flow).missing).toEqual(['modified']);
  });

  test('is shown beside the earlier file, which stays', () => {
    const files = [{ part: 'modified', ...tune, fileGUID: 'theirs', changes: null }];
    const flow = follow(open, { ...nothing, files, refused: [noted] });
    expect(refusedIn(flow).earlier).toEqual(['modified']);
  });

  test('goes when a colleague has dismissed it, and stays if the server never had it', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    expect(refusedIn(follow(flow, nothing)).missing).toEqual([]);
    const own = after(...decoded(image), choosePart('modified', 2), {
      type: 'part-refused',
      attempt: 2,
      fault: { kind: 'refused', thrown: new Refusal('FILE_LOAD_ERROR') },
      isLocal: true,
    });
    expect(refusedIn(follow(own, nothing)).missing).toEqual(['modified']);
  });

  test('is shown in place of another refusal of the page, unless it is the same', () => {
    const chosen = after(...decoded(image), {
      ...{ type: 'part-chosen', part: 'modified', attempt: 2, file: wrong, isEngineUp: true },
    });
    const fault = { kind: 'refused', thrown: new Refusal('WRONG_SIZE') } as const;
    const refused = recodingFlow(chosen, { type: 'part-refused', attempt: 2, fault });
    const own = recodingFlow(refused, { type: 'part-refusal-noted', part: 'modified' });
    const shown = (draft: Partial<typeof noted>) =>
      partsOf(follow(own, { ...nothing, refused: [{ ...noted, ...draft }] }))['modified'];
    expect(shown({})).toMatchObject({ refused: { file: wrong, isNoted: true } });
    const theirs = { file: { ...wrong, name: 'stage3.bin' }, isNoted: false };
    expect(shown({ name: 'stage3.bin' })).toMatchObject({ refused: theirs });
    const other = { file: wrong, isNoted: false, fault: { thrown: { code: 'INVALID_FILE' } } };
    expect(shown({ errorCode: 'INVALID_FILE' })).toMatchObject({ refused: other });
  });

  test('stays while the user chooses another file and cancels', () => {
    const flow = follow(open, { ...nothing, refused: [noted] });
    const chosen = recodingFlow(flow, choosePart('modified', 3));
    const canceled = recodingFlow(chosen, { type: 'part-canceled', part: 'modified' });
    expect(refusedIn(canceled).missing).toEqual(['modified']);
    expect(refusedIn(recodingFlow(chosen, partUploaded(3))).missing).toEqual([]);
  });
});
