/** The questions before an encode: a file was refused, or a check found a possible mistake. */
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Confirm, loadConfirm } from '../../../ui/dialogs/confirm.tsx';
import type { Encode } from '../flow/state/encode-flow.ts';
import { type Inputs, isSameDraft, type RefusedParts, refusedParts } from '../inputs.ts';
import { checksWith, questionOf } from '../preflight-answer.ts';
import { PreflightLines } from './preflight-lines.tsx';
import { partsText } from './preflight-summary.ts';
import { isBlocked, type Preflight } from './use-preflight.ts';

interface Asked {
  readonly about: 'refused' | 'checks';
  /** What it is about. */
  readonly inputs: Inputs;
  readonly action: () => void;
}

/** Names the parts without a file, also those that are left out; if there are none, those whose earlier file is used. */
function titleOfRefused(
  { t, language }: Pick<ReturnType<typeof useTexts>, 't' | 'language'>,
  { missing, earlier, removed }: RefusedParts,
): string {
  const without = [...missing, ...removed];
  return without.length > 0
    ? t('recoding.refused.title', { parts: partsText(t, language, without) })
    : t('recoding.refused.titleEarlier', { parts: partsText(t, language, earlier) });
}

function AboutRefused({ refused }: { readonly refused: RefusedParts }) {
  const { missing, earlier, removed } = refused;
  const { t, language } = useTexts();
  return (
    <>
      {missing.length > 0 && <p>{t('recoding.refused.about')}</p>}
      {earlier.length > 0 && (
        <p>{t('recoding.refusedEarlier', { parts: partsText(t, language, earlier) })}</p>
      )}
      {removed.length > 0 && (
        <p>{t('recoding.refusedRemoved', { parts: partsText(t, language, removed) })}</p>
      )}
    </>
  );
}

/** Runs an action after its questions; amber checks are asked about once, until the inputs or the checks change. */
export function useEncodeQuestions(
  encode: Encode,
  preflight: Preflight,
): { readonly begin: (action: () => void) => void; readonly question: ReactNode } {
  const { t, language } = useTexts();
  const [last, setLast] = useState<Asked | null>(null);
  const { inputs } = encode;
  // another tab may have changed the files, so that the question is about different ones
  const asked = last !== null && isSameDraft(last.inputs, inputs) ? last : null;
  const [accepted, setAccepted] = useState<string | null>(null);
  const refused = refusedParts(inputs);
  const answer = preflight.at === 'checked' ? preflight.answer : null;
  const amber = answer === null ? [] : checksWith('amber', answer);
  const mark = answer && questionOf(answer);
  const hasAmber = amber.length > 0;
  useEffect(() => {
    // preloaded: the user may need it while offline
    if (hasAmber) loadConfirm();
  }, [hasAmber]);
  const close = (): void => setLast(null);
  const afterRefused = (action: () => void): void => {
    if (hasAmber && accepted !== mark) return setLast({ about: 'checks', inputs, action });
    close();
    if (!isBlocked(preflight)) action();
  };
  const begin = (action: () => void): void => {
    // the encoded file would lack a refused file, or contain the one before it
    if (Object.values(refused).flat().length > 0) setLast({ about: 'refused', inputs, action });
    else afterRefused(action);
  };
  const question = asked && (
    <Confirm
      key={asked.about}
      {...(asked.about === 'refused'
        ? {
            title: titleOfRefused({ t, language }, refused),
            confirm: t('recoding.refused.confirm'),
            onConfirm: () => afterRefused(asked.action),
          }
        : {
            title: t('checks.ask.title'),
            confirm: t('checks.ask.confirm'),
            stay: t('recoding.backToFiles'),
            onConfirm: () => {
              setAccepted(mark);
              close();
              if (!isBlocked(preflight)) asked.action();
            },
          })}
      onCancel={close}
    >
      {asked.about === 'refused' ? (
        <AboutRefused refused={refused} />
      ) : (
        <PreflightLines checks={amber} all={answer?.checks ?? []} />
      )}
    </Confirm>
  );
  return { begin, question };
}
