/** Asks before the user leaves a tray whose dropped files are not assigned to a read. */
import { useTexts } from '../../i18n/texts.ts';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { useLeaveBlocker } from '../../ui/dialogs/leave-guard.tsx';
import type { Unplaced } from './dropped/unplaced-store.ts';
import { isUnassigned } from './dropped/unplaced-store.ts';

export interface LeaveTrayQuestionProps {
  /** How many files are not assigned. */
  readonly count: number;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export function LeaveTrayQuestion({ count, onStay, onLeave }: LeaveTrayQuestionProps) {
  const { t } = useTexts();
  return (
    <Confirm
      title={t('tray.leave.title', { count })}
      confirm={t('tray.leave.confirm')}
      stay={t('tray.leave.stay')}
      onCancel={onStay}
      onConfirm={onLeave}
    >
      <p>{t('tray.leave')}</p>
    </Confirm>
  );
}

/** The files stay in this tab: leaving the page loses none of them, but they are easily forgotten. */
export function LeaveTray({ unplaced }: { readonly unplaced: readonly Unplaced[] }) {
  const count = unplaced.filter(isUnassigned).length;
  const blocker = useLeaveBlocker(() => count > 0);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveTrayQuestion count={count} onStay={blocker.reset} onLeave={() => blocker.proceed()} />
  );
}
