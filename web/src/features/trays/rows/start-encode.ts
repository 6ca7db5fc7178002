/** Starts the encode of a file of a tray once its checks have passed, or the user has confirmed their findings. */
import { Refusal } from '@recodery/contract/refusal';
import type { Operation } from '@recodery/contract/features/operations';
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { getEncodeDraft } from '@recodery/contract/features/slots';
import type { Call } from '../../../api/call.ts';
import type { LivePages } from '../../recoding/flow/live-pages.ts';
import { inputsOfDraft, isSameDraft, refusalsIn } from '../../recoding/inputs.ts';
import {
  type CheckedSlot,
  checksWith,
  isCheckOf,
  questionOf,
  requestPreflight,
} from '../../recoding/preflight-answer.ts';
import type { LoadedTray } from '../tray-query.ts';
import { contextOf, type DecodedRow, encodableOf, type Row } from '../tray-rows.ts';
import { Stopped } from '../work-queue.ts';

/** Milliseconds that an encode waits for its checks: more than the server needs with all its attempts. */
const patience = 60_000;

/** The data of its tray that an encode needs. */
export interface EncodeParts {
  readonly call: Call;
  readonly pages: LivePages;
  /** The file's row. */
  readonly rowIn: (loaded: LoadedTray) => Row | undefined;
  /** The tray as the server has it now. */
  readonly fetchLatest: () => Promise<LoadedTray>;
  /** The question that the user has confirmed last; undefined: none. */
  readonly confirmed: () => string | undefined;
  /** Aborts when the encode is no longer wanted. */
  readonly forgotten: AbortSignal;
  /** Calls the function when its turn comes: all trays of this tab share the server's places for checks. */
  readonly limit: <T>(check: () => Promise<T>) => Promise<T>;
  /** Asks the server whether files can be encoded. */
  readonly isServiceUp: () => Promise<boolean>;
}

const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Refusal && thrown.code === 'SERVICE_UNAVAILABLE';

async function check(
  slot: CheckedSlot,
  { call, pages, forgotten, isServiceUp, limit }: EncodeParts,
): Promise<PreflightAnswer> {
  // its device page in this tab may have changed something
  await pages.saved(slot.slotGUID);
  return limit(async () => {
    forgotten.throwIfAborted();
    const late = AbortSignal.timeout(patience);
    try {
      return await requestPreflight(call, slot, AbortSignal.any([forgotten, late]));
    } catch (thrown) {
      if (!late.aborted && !isUnavailable(thrown)) throw thrown;
      // while the service is up, the cause is in these files: do not retry forever
      throw new Refusal((await isServiceUp()) ? 'GENERIC_ERROR' : 'SERVICE_UNAVAILABLE');
    }
  });
}

/** Whether the server still has the draft that a row shows: files that have since been removed are not encoded. */
async function isStillDraft(
  { call, pages }: EncodeParts,
  { read, inputs }: DecodedRow,
): Promise<boolean> {
  const { slotGUID } = read;
  await pages.saved(slotGUID);
  const draft = await call(getEncodeDraft, { params: { slotGUID } });
  const latest = inputsOfDraft(read, draft);
  // a file that someone was refused in the meantime would be missing
  return isSameDraft(latest, inputs) && Object.keys(refusalsIn(latest)).length === 0;
}

/** Whether the user must decide first: something is red, or amber and not confirmed. */
function mustStop(answer: PreflightAnswer, confirmed: string | undefined): boolean {
  if (answer.status === 'red') return true;
  return checksWith('amber', answer).length > 0 && questionOf(answer) !== confirmed;
}

/**
 * Encodes the current files of a row of the tray; returns the operation, or null when there is nothing to encode.
 *
 * @throws {Stopped} when the user must decide; otherwise rejects as the calls do
 */
export async function startEncode(
  loaded: LoadedTray,
  parts: EncodeParts,
  isLatest = false,
): Promise<Operation | null> {
  const row = parts.rowIn(loaded);
  const state = row === undefined ? null : encodableOf(row);
  if (state === null) return row?.file.encode ?? null;
  const { page, read, inputs } = state;
  const answer = await check({ family: page.family, slotGUID: read.slotGUID }, parts);
  if (!isCheckOf(inputs, answer.draft) || !(await isStillDraft(parts, state))) {
    // the draft was changed on another page, perhaps while it was checked
    if (isLatest) throw new Refusal('GENERIC_ERROR');
    return startEncode(await parts.fetchLatest(), parts, true);
  }
  // its files may have been removed or replaced in the meantime
  parts.forgotten.throwIfAborted();
  if (mustStop(answer, parts.confirmed())) throw new Stopped(answer);
  const contextData = contextOf(read, inputs);
  const isFromTray = true;
  return page.encode({
    read,
    source: 'parts',
    inputs,
    notificationInfo: null,
    contextData,
    isFromTray,
  });
}
