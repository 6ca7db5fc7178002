/** What was typed in the send popup is kept. */
import { describe, expect, test } from 'vitest';
import type { FlowEvent } from '../../../../src/features/recoding/flow/state/flow-events.ts';
import { freshInputs, inputsOfDraft } from '../../../../src/features/recoding/inputs.ts';
import {
  type Flow,
  recodingFlow,
} from '../../../../src/features/recoding/flow/state/recoding-flow.ts';
import { image } from '../../reads.ts';
import {
  tune,
  after,
  choosePart,
  partUploaded,
  encode,
  encodeAccepted,
  encodeEnded,
  another,
  send,
  ready,
  inputsIn,
  partsOf,
} from './flow-steps.ts';

// promise j1.sending.typed
test('the send popup keeps what was typed when it is closed and opened again, until the next encode', () => {
  const typed = { email: 'garage@rossi.test', message: 'Tested on the bench', isPrivate: false };
  const closed = [
    ...ready(),
    send,
    { type: 'send-changed', to: typed },
    { type: 'send-canceled' },
  ] as const;
  expect(after(...closed, send)).toMatchObject({ encode: { at: 'addressing', form: typed } });
  const next = [...closed, encode, encodeAccepted, encodeEnded, another] as const;
  expect(after(...next)).not.toHaveProperty('encode.form');
});

describe('what was typed in the send popup', () => {
  const typed = { email: 'garage@rossi.test', message: 'Tested on the bench', isPrivate: false };
  const typing: FlowEvent = { type: 'send-changed', to: typed };
  const closing: FlowEvent = { type: 'send-canceled' };
  const news = [{ kind: 'replaced', part: 'modified', by: 'Carla', on: null }] as const;
  const theirs = [{ part: 'modified', ...tune, fileGUID: 'theirs', changes: null }];
  const draft = { files: theirs, removed: null, willCorrectCVN: false, willSkipChecksum: false };

  /** A colleague changes the draft. */
  const change = (flow: Flow, to = inputsOfDraft(image, draft)): FlowEvent => ({
    type: 'draft-changed',
    from: inputsIn(flow),
    to,
    version: 2,
    news,
  });

  // promise j1.sending.typed
  test('stays when a colleague changes the files that it was about, which closes the popup', () => {
    const open = after(...ready(), send, typing);
    const changed = recodingFlow(open, change(open));
    expect(changed).toMatchObject({ encode: { at: 'preparing', news, form: typed } });
    const dismissed = recodingFlow(changed, { type: 'news-dismissed' });
    expect(dismissed).not.toHaveProperty('encode.news');
    expect(recodingFlow(dismissed, send)).toMatchObject({ encode: { form: typed } });
  });

  test.each<[string, FlowEvent[]]>([
    ['a file is added', [choosePart('modified', 3), partUploaded(3)]],
    ['a file is removed', [{ type: 'part-restored', part: 'modified' }]],
  ])('stays when %s', (_, events) => {
    const flow = after(...ready(), send, typing, closing, ...events);
    expect(flow).toMatchObject({ encode: { at: 'preparing', form: typed } });
  });

  test('stays open when a colleague changes files that are not encoded; the news is shown after it', () => {
    const open = after(...ready(), { type: 'send-asked', source: 'decoded' }, typing);
    const changed = recodingFlow(open, change(open));
    expect(changed).toMatchObject({ encode: { at: 'addressing', form: typed, news } });
    expect(partsOf(changed)['modified']).toMatchObject({ fileGUID: 'theirs' });
    expect(recodingFlow(changed, closing)).toMatchObject({ encode: { form: typed, news } });
  });

  test('stays when a colleague changes how the decoded file is encoded, which closes the popup', () => {
    const open = after(...ready(), { type: 'send-asked', source: 'decoded' }, typing);
    const changed = recodingFlow(
      open,
      change(open, inputsOfDraft(image, { ...draft, willCorrectCVN: true })),
    );
    expect(changed).toMatchObject({ encode: { at: 'preparing', form: typed } });
  });
});

test('what a colleague has changed is still shown after the send popup is canceled', () => {
  const news = [{ kind: 'cvn', part: null, by: 'Carla', on: null }] as const;
  const flow = after(...ready());
  const to = { ...freshInputs(image), correctsCVN: true };
  const changed: FlowEvent = { type: 'draft-changed', from: inputsIn(flow), to, version: 2, news };
  const canceled = [changed, send, { type: 'send-canceled' } as const].reduce(recodingFlow, flow);
  expect(canceled).toMatchObject({ encode: { at: 'preparing', news } });
});
