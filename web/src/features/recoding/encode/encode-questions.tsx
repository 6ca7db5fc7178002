/** What the page asks before an encode: a file was refused, or a check found a possible mistake. */
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Confirm, loadConfirm } from '../../../ui/confirm.tsx';
import { lookOf } from '../families/part-look.ts';
import type { Encode } from '../flow/encode-flow.ts';
import { refusedParts } from '../inputs.ts';
import { checksWith, questionOf } from '../preflight-answer.ts';
import { PreflightLines } from './preflight-lines.tsx';
import type { Preflight } from './use-preflight.ts';

interface Asked {
  readonly about: 'refused' | 'checks';
  readonly action: () => void;
}

/** Runs an action after its questions; amber checks are asked about once, until the inputs or the checks change. */
export function useEncodeQuestions(
  encode: Encode,
  preflight: Preflight,
): { readonly begin: (action: () => void) => void; readonly question: ReactNode } {
  const { t } = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [accepted, setAccepted] = useState<string | null>(null);
  const refused = refusedParts(encode.inputs).map((name) => t(lookOf(name).label));
  const answer = preflight.at === 'checked' ? preflight.answer : null;
  const amber = answer === null ? [] : checksWith('amber', answer);
  const mark = answer && questionOf(answer);
  const hasAmber = amber.length > 0;
  useEffect(() => {
    // preloaded: the user may need it while offline
    if (hasAmber) loadConfirm();
  }, [hasAmber]);
  const close = (): void => setAsked(null);
  const afterRefused = (action: () => void): void => {
    if (hasAmber && accepted !== mark) setAsked({ about: 'checks', action });
    else {
      close();
      action();
    }
  };
  const begin = (action: () => void): void => {
    // the encoded file would lack a refused file
    if (refused.length > 0) setAsked({ about: 'refused', action });
    else afterRefused(action);
  };
  const question = asked && (
    <Confirm
      key={asked.about}
      {...(asked.about === 'refused'
        ? {
            title: t('recoding.refused.title', { parts: refused.join(', ') }),
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
              asked.action();
            },
          })}
      onCancel={close}
    >
      {asked.about === 'refused' ? (
        <p>{t('recoding.refused.about')}</p>
      ) : (
        <PreflightLines checks={amber} />
      )}
    </Confirm>
  );
  return { begin, question };
}
