/** Asks for confirmation before the user leaves a page with unsaved changes, or discards them within the page. */
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useBlocker } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from './confirm.tsx';
import { registerUnsaved, type Unsaved } from './unsaved-work.ts';

export interface LeaveGuardProps {
  readonly kind: Exclude<Unsaved, 'upload' | 'import' | 'files'>;
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
const discardAll = (): void => {
  for (const discardOne of changed) discardOne();
};

/** Whether a guard of the page has changes. */
export const hasUnsavedChanges = (): boolean => changed.size > 0;

/** Asks before an action that removes forms from the page, if one of them has unsaved changes. */
export function useLeaveQuestion(): {
  readonly ask: (act: () => void) => void;
  /** To be shown; null if nothing is asked. */
  readonly question: ReactNode;
} {
  const [asked, setAsked] = useState<{ readonly act: () => void } | null>(null);
  return {
    ask: (act) => (hasUnsavedChanges() ? setAsked({ act }) : act()),
    question: asked && (
      <LeaveQuestion
        onStay={() => setAsked(null)}
        onLeave={() => {
          setAsked(null);
          discardAll();
          asked.act();
        }}
      />
    ),
  };
}

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
  const blocker = useLeaveBlocker(hasUnsavedChanges);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveQuestion
      onStay={blocker.reset}
      onLeave={() => {
        discardAll();
        blocker.proceed();
      }}
    />
  );
}
