/** The dialog of a file that is sealed again: its progress, or why it failed and what to do. */
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import { useState } from 'react';
import { trueTime } from '../../api/server-clock.ts';
import { timeText } from '../../i18n/formats.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { ProblemPanel } from '../../ui/display/problem-panel.tsx';

export interface SealDialogProps {
  /** Undefined while the request is on its way. */
  readonly state: SealingState | undefined;
  /** What failed without a state; null: nothing. */
  readonly thrown: unknown;
  readonly onCancel: () => void;
  readonly onEarlier: () => void;
  readonly onRestart: () => void;
}

interface BodyProps {
  readonly state: SealingState | undefined;
}

function Progress({ state }: BodyProps) {
  const { t, language } = useTexts();
  const [now] = useState(() => trueTime(Date.now()));
  const sealedOn = state?.sealedOn;
  return (
    <>
      {sealedOn && <p>{t('job.seal.text', { time: timeText(sealedOn, now, language) })}</p>}
      <p role="status" className="text-ink-2">
        {t(state?.isWaiting === true ? 'job.seal.waiting' : 'ui.working')}
      </p>
    </>
  );
}

function Failure({ state }: { readonly state: SealingState }) {
  const { t } = useTexts();
  const { reason, detail } = state;
  return (
    <div role="alert">
      <p>{t(`job.seal.${reason ?? 'FAILED'}`)}</p>
      {detail !== null && reason !== 'FAILED' && (
        <p className="text-sm text-ink-2">
          <LongText>{detail}</LongText>
        </p>
      )}
    </div>
  );
}

export function SealDialog({ state, thrown, onCancel, onEarlier, onRestart }: SealDialogProps) {
  const { t } = useTexts();
  const isFailed = thrown !== null || state?.state === 'failed';
  const isStuck = isFailed || state?.isWaiting === true;
  return (
    <Dialog
      title={t(isFailed ? 'job.seal.failedTitle' : 'job.seal.title')}
      onClose={onCancel}
      actions={
        <>
          <Button onPress={onCancel}>{t('ui.cancel')}</Button>
          {isStuck && <Button onPress={onEarlier}>{t('job.seal.earlier')}</Button>}
          {isFailed && (
            <Button look="primary" onPress={onRestart}>
              {t('ui.tryAgain')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {thrown !== null && <ProblemPanel {...thrownProblem(t, thrown)} />}
        {thrown === null && state?.state === 'failed' && <Failure state={state} />}
        {!isFailed && <Progress state={state} />}
        {isStuck && <p className="text-sm text-ink-2">{t('job.seal.earlierHint')}</p>}
      </div>
    </Dialog>
  );
}
