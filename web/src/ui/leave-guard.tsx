/** Asks for confirmation before the user leaves a page with unsaved changes. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useTexts } from '../i18n/texts.ts';
import { Confirm } from './confirm.tsx';
import { registerUnsaved, type Unsaved } from './unsaved-work.ts';

export interface LeaveGuardProps {
  readonly kind: Exclude<Unsaved, 'upload' | 'files'>;
  readonly isChanged: boolean;
  readonly onDiscard: () => void;
}

export interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const { t } = useTexts();
  return (
    <Confirm
      title={t('ui.leaveTitle')}
      confirm={t('ui.discard')}
      stay={t('ui.stayHere')}
      onCancel={onStay}
      onConfirm={onLeave}
    >
      <p>{t('ui.leaveAbout')}</p>
    </Confirm>
  );
}

/** Blocks leaving the page while `isBlocking`, except where the user has already been asked. */
export function useLeaveBlocker(isBlocking: boolean) {
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      isBlocking &&
      currentLocation.pathname !== nextLocation.pathname &&
      // the user has already been asked: about another customer code, or about deleting what was changed
      nextLocation.state?.hasAsked !== true,
  );
}

export function LeaveGuard({ kind, isChanged, onDiscard }: LeaveGuardProps) {
  useEffect(() => (isChanged ? registerUnsaved(kind) : undefined), [kind, isChanged]);
  const blocker = useLeaveBlocker(isChanged);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveQuestion
      onStay={blocker.reset}
      onLeave={() => {
        onDiscard();
        blocker.proceed();
      }}
    />
  );
}
