/** How the state of a check is shown. */
import type { ActionFinding } from '@recodery/contract/admin/derive-routes';
import type { TextKey } from '../../../i18n/texts.ts';
import type { BadgeState } from '../../../ui/display/badge.tsx';

export const findingText: Readonly<Record<ActionFinding['state'], TextKey>> = {
  ok: 'admin.finding.ok',
  warning: 'admin.finding.warning',
  wrong: 'admin.finding.wrong',
};

export const findingLook: Readonly<Record<ActionFinding['state'], BadgeState>> = {
  ok: 'good',
  warning: 'modified',
  wrong: 'bad',
};
