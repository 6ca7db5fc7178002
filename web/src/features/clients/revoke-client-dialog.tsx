/** Asks for confirmation before a client application is revoked: revoking cannot be undone. */
import type { Client } from '@recodery/contract/features/clients';
import { useTexts } from '../../i18n/texts.ts';
import { LossDialog } from '../../ui/loss-dialog.tsx';
import { useRevokeClient } from './clients.ts';

export interface RevokeClientDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
}

export function RevokeClientDialog({ client, onClose }: RevokeClientDialogProps) {
  const { t } = useTexts();
  const { mutate, isPending, error } = useRevokeClient();
  return (
    <LossDialog
      title={t('clients.revokeTitle')}
      confirm={t('clients.revoke')}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(client.clientApplicationGUID, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('clients.revokeAbout', { name: client.name })}
    </LossDialog>
  );
}
