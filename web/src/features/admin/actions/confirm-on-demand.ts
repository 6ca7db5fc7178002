/** The dialog that asks for the password, before what could take over an account or end all sessions. */
import { withTexts } from '../../../i18n/texts.ts';
import { onDemand } from '../../../ui/loading/on-demand.tsx';

export const ConfirmOnDemand = onDemand(async () => {
  const part = import('../account/factors/confirm-password.tsx');
  return (await withTexts(part, 'account')).ConfirmPassword;
});
