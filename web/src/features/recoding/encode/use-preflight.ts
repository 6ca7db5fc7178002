/** The checks of the prepared encode: requested again after each change of the inputs. */
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { getEncodeDraft } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWork } from '../../../api/work.ts';
import type { DecodedRead } from '../decoded-read.ts';
import { type Encode, mayEncode } from '../flow/state/encode-flow.ts';
import { useLivePages } from '../flow/live-pages.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { draftOfInputs, hasFiles, type Inputs, inputsOfDraft, isSameDraft } from '../inputs.ts';
import { isCheckOf, requestPreflight } from '../preflight-answer.ts';

/**
 * `none`: nothing is prepared. `late`: the checks take so long that the user may encode without them. `failed`: they
 * could not be carried out, which does not stop an encode.
 */
export type Preflight =
  | { readonly at: 'none' | 'checking' | 'late' }
  | { readonly at: 'failed'; readonly again: () => void }
  | { readonly at: 'checked'; readonly answer: PreflightAnswer };

/** Milliseconds after which nothing waits for the checks any more. */
const patience = 4000;
/** Milliseconds after which checks without a response have failed. */
const mostPatience = 15_000;
/** Milliseconds before failed checks are retried, and how often. */
const retryDelay = 5000;
const mostRetries = 20;

/** The query of the checks of these inputs. */
export function preflightKey(slotGUID: string, inputs: Inputs): readonly unknown[] {
  return ['code', 'preflight', slotGUID, draftOfInputs(inputs)];
}

/** Whether Encode must wait: for the checks, or for the user to correct red checks. */
export function isBlocked(preflight: Preflight): boolean {
  return (
    preflight.at === 'checking' || (preflight.at === 'checked' && preflight.answer.status === 'red')
  );
}

/** The states after an encode: its result is shown, and the checks no longer matter. */
const over: readonly Encode['at'][] = ['encoded', 'sent', 'failed'];

/** Whether there is something to check: an uploaded file, and the encode could start or has started. */
function isCheckable(read: DecodedRead | null, { at, inputs }: Encode): read is DecodedRead {
  return read !== null && !over.includes(at) && hasFiles(inputs) && mayEncode(read, inputs);
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Whether the checks of these inputs have been running for so long that nothing should wait for them. */
function useIsLate(isChecking: boolean, inputs: string): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (!isChecking) return;
    const timer = setTimeout(() => setLate(inputs), patience);
    return () => clearTimeout(timer);
  }, [isChecking, inputs]);
  return isChecking && late === inputs;
}

/** The checks of an encode, with the texts that show them. `read` is null for a resumed encode without its read. */
export function usePreflight(read: DecodedRead | null, encode: Encode): Preflight {
  const { page } = useOpenPage();
  const { inputs } = encode;
  const slotGUID = read?.slotGUID ?? '';
  const isOn = isCheckable(read, encode);
  const isPreparing = encode.at === 'preparing';
  const queries = useQueryClient();
  const pages = useLivePages();
  const { call } = useWork();
  const queryKey = preflightKey(slotGUID, inputs);
  const { data, isFetching, failureCount, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const late = AbortSignal.any([signal, AbortSignal.timeout(mostPatience)]);
      const unsaved = new Error('the draft is not saved');
      await Promise.race([
        pages.saved(slotGUID).catch(() => Promise.reject(unsaved)),
        aborted(late),
      ]);
      const before = queries.getQueryData<PreflightAnswer>(queryKey);
      const answer =
        before ?? (await requestPreflight(call, { family: page.family, slotGUID }, late));
      const isCheck = isCheckOf(inputs, answer.draft);
      if (read === null || (isCheck && before === undefined)) return answer;
      // another tab may have changed the draft
      const draft = await call(getEncodeDraft, { params: { slotGUID } }, { signal: late });
      late.throwIfAborted();
      if (isCheck && isSameDraft(inputs, inputsOfDraft(read, draft))) return answer;
      // the page shows the new draft, whose checks replace these, before these fail
      await Promise.race([pages.showSaved(slotGUID), aborted(late)]);
      throw new Error('the draft was changed');
    },
    // once an encode is requested, its inputs no longer change
    ...(isOn && isPreparing ? {} : { enabled: false }),
    // a refusal is final; offline, it fails immediately and is retried: nothing may wait for it
    retry: (count, thrown) => !(thrown instanceof Refusal) && count < mostRetries,
    retryDelay,
    networkMode: 'always',
    // another page or tab may have changed the draft
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });
  // a resumed encode was not checked here
  const isChecking =
    isOn && data === undefined && failureCount === 0 && (isFetching || isPreparing);
  const isLate = useIsLate(isChecking, JSON.stringify(queryKey));
  if (!isOn) return { at: 'none' };
  if (data !== undefined) return { at: 'checked', answer: data };
  if (failureCount > 0) return { at: 'failed', again: () => void refetch() };
  if (isLate) return { at: 'late' };
  return { at: isChecking ? 'checking' : 'none' };
}
