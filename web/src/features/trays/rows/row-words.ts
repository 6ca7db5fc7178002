/** The texts of a row: its state, what was read, and what to do. */
import type { Problem } from '../../../i18n/problems.ts';
import type { TextKey, TextOf } from '../../../i18n/texts.ts';
import type { BadgeState } from '../../../ui/display/badge.tsx';
import { mayBeTemporary, problemOf } from '../../recoding/fault.ts';
import { informationFields } from '../../recoding/flow/part-state-text.ts';
import { type DecodedRow, hasRefused, type RowState } from '../tray-rows.ts';

/** The badge of a row. */
export interface RowBadge {
  readonly state: BadgeState;
  readonly text: TextKey;
}

const incomplete: RowBadge = { state: 'modified', text: 'tray.state.incomplete' };

function encodeBadge({ encode, images }: DecodedRow): RowBadge {
  // what was encoded is not what the user has dropped last
  if (encode.at === 'encoded' && hasRefused({ images })) return incomplete;
  switch (encode.at) {
    case 'none':
      return { state: 'good', text: 'operation.decoded' };
    case 'missing':
    case 'refused':
      return incomplete;
    case 'uploading':
      return { state: 'neutral', text: 'tray.state.uploading' };
    case 'ready':
      return { state: 'neutral', text: 'tray.state.ready' };
    case 'asked':
      return { state: 'modified', text: 'tray.state.asked' };
    case 'blocked':
      return { state: 'bad', text: 'checks.word.red' };
    case 'queued':
      return { state: 'neutral', text: 'tray.state.queued' };
    case 'encoding':
      return { state: 'neutral', text: 'operation.encoding' };
    case 'encoded':
      return { state: 'good', text: 'operation.encoded' };
    case 'failed':
      return { state: 'bad', text: 'operation.notEncoded' };
  }
}

export function badgeOf(state: RowState): RowBadge {
  switch (state.at) {
    case 'missing':
      return { state: 'modified', text: 'tray.state.missing' };
    case 'queued':
      return { state: 'neutral', text: 'tray.state.queued' };
    case 'uploading':
      return { state: 'neutral', text: 'tray.state.uploading' };
    case 'decoding':
      return { state: 'neutral', text: 'operation.decoding' };
    case 'failed':
      return { state: 'bad', text: 'operation.notDecoded' };
    case 'decoded':
      return encodeBadge(state);
  }
}

/** What identifies a read: the fields that its page names for that. */
export function vehicleOf({ page, read }: Pick<DecodedRow, 'page' | 'read'>): readonly string[] {
  const information = informationFields(page, read);
  return page.identifiedBy.flatMap((names) => {
    const values = names.map((name) => information.find((field) => field.name === name)?.value);
    return values.find(Boolean) ?? [];
  });
}

/** What failed in a row; null if nothing. */
export function problemIn(t: TextOf, state: RowState): Problem | null {
  const fault =
    state.at === 'failed'
      ? state.fault
      : state.at === 'decoded' && state.encode.at === 'failed'
        ? state.encode.fault
        : null;
  return fault && problemOf(t, fault);
}

/** What failed in a row, or what its read needs; null if nothing. */
export function noteOf(t: TextOf, state: RowState): string | null {
  const problem = problemIn(t, state);
  if (problem !== null) {
    const { headline, advice } = problem;
    return t('ui.sentences', { first: t('ui.headline', { headline }), second: advice });
  }
  if (state.at !== 'decoded') return null;
  if (hasRefused(state)) return t(isLost(state) ? 'tray.notUploaded.row' : 'tray.refused.row');
  if (lacksOriginal(state)) return t('tray.originalNeeded');
  return state.encode.at === 'missing' ? t('tray.incomplete.row') : null;
}

/** Whether its files were only not uploaded: the same ones may be accepted. */
function isLost({ images }: DecodedRow): boolean {
  return images.every(({ refused }) => refused === null || mayBeTemporary(refused.fault));
}

/** Whether a read can only be encoded together with an original file that is not there yet. */
function lacksOriginal({ read, inputs }: DecodedRow): boolean {
  const isNeeded = read.parts.some(({ name, isNeeded: needed }) => name === 'original' && needed);
  return isNeeded && inputs.parts['original']?.at !== 'complete';
}

/** 0 to 1 while something runs, null while its share is unknown; undefined when nothing runs. */
export function progressOf(state: RowState): number | null | undefined {
  if (state.at === 'uploading' || state.at === 'decoding') return state.fraction;
  if (state.at !== 'decoded') return undefined;
  if (state.encode.at === 'encoding') return state.encode.fraction;
  const sending = state.images.find(({ job }) => job?.at === 'sending')?.job;
  return sending?.at === 'sending' ? sending.fraction : undefined;
}
