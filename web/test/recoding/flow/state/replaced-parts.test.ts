/** Files that replace others, on this page or elsewhere, and the way back. */
import { describe, expect, test } from 'vitest';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import {
  freshInputs,
  inputsOfDraft,
  withUploads,
} from '../../../../src/features/recoding/inputs.ts';
import { recodingFlow } from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { bootBench, image } from '../../reads.ts';
import {
  tune,
  fault,
  uploaded,
  after,
  choose,
  accepted,
  ended,
  choosePart,
  partUploaded,
  partRefused,
  encode,
  remove,
  decoded,
  ready,
  inputsIn,
  partsOf,
  storedOf,
  partStates,
} from './flow-steps.ts';

describe('a file that another one replaces', () => {
  const before = after(...decoded(image), choosePart('modified', 2), partUploaded(2));
  const old = partsOf(before)['modified'];
  const { at: _, ...version } = old?.at === 'complete' ? old : { at: null };
  const choosing = recodingFlow(before, choosePart('modified', 3));
  const other = { name: 'stage2.bin', size: 4096 };

  test.each<[string, FlowEvent]>([
    ['is canceled', { type: 'part-canceled', part: 'modified' }],
    ['is refused, and the error is cleared', partRefused(3)],
  ])('is there again if the upload %s', (_title, event) => {
    expect(partStates(choosing)).toEqual({ modified: 'uploading' });
    const end = recodingFlow(choosing, event);
    const cleared = recodingFlow(end, { type: 'part-refusal-cleared', part: 'modified' });
    expect(partsOf(cleared)['modified']).toEqual(old);
  });

  test('can be encoded although another one was refused', () => {
    const refused = recodingFlow(choosing, partRefused(3));
    expect(partsOf(refused)['modified']).toMatchObject({ ...version, refused: { fault } });
    const asked = recodingFlow(refused, encode);
    expect(asked).toMatchObject({
      encode: { at: 'requesting', inputs: { parts: { modified: old } } },
    });
  });

  test('comes back with Undo, and the other one with Undo again', () => {
    const uploaded = { fileGUID: 'file-3', changes: null };
    const replaced = recodingFlow(choosing, { type: 'part-uploaded', attempt: 3, uploaded });
    expect(partsOf(replaced)['modified']).toMatchObject({ fileGUID: 'file-3', previous: version });
    const undo: FlowEvent = { type: 'part-undone', part: 'modified' };
    const back = recodingFlow(replaced, undo);
    expect(partsOf(back)['modified']).toMatchObject({
      ...version,
      previous: { fileGUID: 'file-3' },
    });
    expect(partsOf(recodingFlow(back, undo))['modified']).toMatchObject({ fileGUID: 'file-3' });
  });

  test('comes back after it was removed', () => {
    const removed = recodingFlow(before, { type: 'part-restored', part: 'modified' });
    expect(partStates(removed)).toEqual({ modified: 'ready' });
    const back = recodingFlow(removed, { type: 'part-undone', part: 'modified' });
    expect(partsOf(back)['modified']).toEqual(old);
  });

  test('stays if its component is removed during the upload, and comes back with it', () => {
    const replacing = [choosePart('Flash', 2), partUploaded(2), choosePart('Flash', 3)];
    const removed = after(...decoded(bootBench), ...replacing, remove('Flash'));
    expect(storedOf(removed).files['Flash']).toBe('file-1');
    const back = recodingFlow(removed, remove('Flash', false));
    expect(partsOf(back)['Flash']).toEqual({ at: 'complete', file: tune, ...uploaded });
  });

  test('comes back with Undo also after its component was removed for a while', () => {
    const restored: FlowEvent = { type: 'part-restored', part: 'Flash' };
    const taken = [choosePart('Flash', 2), partUploaded(2), restored];
    const removed = [remove('Flash'), remove('Flash', false)];
    const flow = after(...decoded(bootBench), ...taken, ...removed);
    const undo: FlowEvent = { type: 'part-undone', part: 'Flash' };
    expect(partsOf(recodingFlow(flow, undo))['Flash']).toMatchObject(uploaded);
  });

  test('comes back with Undo also if someone else changed the draft while its component was removed', () => {
    const replaced = [choosePart('Flash', 2), partUploaded(2), choosePart('Flash', 3)];
    const second: FlowEvent = {
      type: 'part-uploaded',
      attempt: 3,
      uploaded: { fileGUID: 'file-3', changes: null },
    };
    const flow = after(...decoded(bootBench), ...replaced, second, remove('Flash'));
    const { removed } = storedOf(flow);
    const files = [{ part: 'Flash', fileGUID: 'file-3', ...tune, changes: null }];
    const draft = { files, removed, willCorrectCVN: true, willSkipChecksum: false };
    const shown = withUploads(inputsOfDraft(bootBench, draft), inputsIn(flow));
    expect(shown.parts['Flash']).toEqual(partsOf(flow)['Flash']);
  });

  test('was uploaded by someone else in the meantime: that is reported, and Undo restores it', () => {
    const theirs = {
      fileGUID: 'theirs',
      ...other,
      changes: null,
      uploadedOn: '2026-11-26T14:02:00.000Z',
    };
    const replaced = { ...theirs, userDisplayName: 'Carla' };
    const uploaded = { fileGUID: 'file-3', changes: null, replaced };
    const flow = recodingFlow(choosing, { type: 'part-uploaded', attempt: 3, uploaded });
    expect(flow).toMatchObject({
      encode: {
        news: [{ kind: 'overtaken', part: 'modified', by: 'Carla', on: theirs.uploadedOn }],
        inputs: { parts: { modified: { fileGUID: 'file-3', previous: { fileGUID: 'theirs' } } } },
      },
    });
  });
});

describe('a draft that another tab changed', () => {
  const flow = after(choose, accepted, ended());
  const from = freshInputs(image);
  const to = { ...from, correctsCVN: true };
  const version = { version: 2, news: [] };

  test('replaces the inputs', () => {
    if (flow.at !== 'decoded') throw new Error('nothing is decoded');
    const changed: FlowEvent = { type: 'draft-changed', from: flow.encode.inputs, to, ...version };
    expect(inputsIn(recodingFlow(flow, changed))).toEqual(to);
  });

  test('does not replace what the user has changed in the meantime', () => {
    const mine = recodingFlow(flow, { type: 'checksum-switched', skips: true });
    expect(recodingFlow(mine, { type: 'draft-changed', from, to, ...version })).toBe(mine);
  });

  test('replaces inputs that are the same draft, but not while they are encoded', () => {
    const changed: FlowEvent = { type: 'draft-changed', from: { ...from }, to, ...version };
    expect(inputsIn(recodingFlow(flow, changed))).toEqual(to);
    const same: FlowEvent = { type: 'draft-changed', from, to: { ...from }, ...version };
    expect(recodingFlow(flow, same)).toBe(flow);
    const asked = after(...ready(), encode);
    expect(recodingFlow(asked, changed)).toBe(asked);
  });
});
