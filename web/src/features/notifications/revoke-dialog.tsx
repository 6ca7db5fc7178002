/** Asks for confirmation before a link is withdrawn, because this cannot be undone. */
import type { Notification } from '@recodery/contract/features/notifications';
import { useTexts } from '../../i18n/texts.ts';
import { LossDialog } from '../../ui/loss-dialog.tsx';
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
    <LossDialog
      title={t('notifications.revokeTitle')}
      confirm={t('notifications.revoke')}
      isPending={isPending}
      error={error}
      onConfirm={() => revoke(seen.guid, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('notifications.revokeAbout', { whom })}
    </LossDialog>
  );
}
