/** Asks for confirmation before a link is revoked: revoking cannot be undone. */
import type { Notification } from '@recodery/contract/notifications';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemPanel } from '../../ui/problem-panel.tsx';
import { useRevokeShare } from './notifications.ts';

export interface RevokeDialogProps {
  readonly seen: Notification;
  readonly onClose: () => void;
}

export function RevokeDialog({ seen, onClose }: RevokeDialogProps) {
  const { t } = useTexts();
  const { mutate: revoke, isPending, error } = useRevokeShare();
  const whom = seen.mail?.email ?? seen.otherOrganizationName ?? '';
  return (
    <Dialog
      isOpen
      title={t('notifications.revokeTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button
            look="danger"
            isPending={isPending}
            onPress={() => revoke(seen.guid, { onSuccess: onClose })}
          >
            {t('notifications.revoke')}
          </Button>
        </>
      }
    >
      <p className="break-words text-ink-2">{t('notifications.revokeAbout', { whom })}</p>
      {error !== null && (
        <div className="mt-4">
          <ProblemPanel {...thrownProblem(t, error)} />
        </div>
      )}
    </Dialog>
  );
}
