/** Asks for confirmation before the user leaves a page with unsaved changes. */
import { useEffect, useEffectEvent } from 'react';
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

/** Blocks leaving the page while it is to be blocked, except where the user has already been asked. */
export function useLeaveBlocker(isBlocking: () => boolean) {
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      isBlocking() &&
      currentLocation.pathname !== nextLocation.pathname &&
      // the user has already been asked: about another customer code, or about deleting what was changed
      nextLocation.state?.hasAsked !== true,
  );
}

/** Discards the changes of each guard that has some. */
const changed = new Set<() => void>();

/** A page may have several: the router asks only one of them, which speaks for all. */
export function LeaveGuard({ kind, isChanged, onDiscard }: LeaveGuardProps) {
  const discard = useEffectEvent(onDiscard);
  useEffect(() => {
    if (!isChanged) return;
    const discardThis = (): void => discard();
    const unregister = registerUnsaved(kind);
    changed.add(discardThis);
    return () => {
      changed.delete(discardThis);
      unregister();
    };
  }, [kind, isChanged]);
  const blocker = useLeaveBlocker(() => changed.size > 0);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveQuestion
      onStay={blocker.reset}
      onLeave={() => {
        for (const discardOne of changed) discardOne();
        blocker.proceed();
      }}
    />
  );
}
