/** Asks for confirmation before the user leaves the settings page with unsaved changes. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { registerUnsaved } from '../../ui/unsaved-work.ts';

export interface LeaveGuardProps {
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
      title={t('settings.leaveTitle')}
      confirm={t('settings.discard')}
      stay={t('settings.stay')}
      onCancel={onStay}
      onConfirm={onLeave}
    >
      <p>{t('settings.leaveAbout')}</p>
    </Confirm>
  );
}

export function LeaveGuard({ isChanged, onDiscard }: LeaveGuardProps) {
  useEffect(() => (isChanged ? registerUnsaved('settings') : undefined), [isChanged]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged &&
      currentLocation.pathname !== nextLocation.pathname &&
      // the customer code menu has already asked
      nextLocation.state?.hasAsked !== true,
  );
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
