/** How the state of a check is shown. */
import type { Finding } from '@recodery/contract/admin/derive-routes';
import type { TextKey } from '../../i18n/texts.ts';
import type { BadgeState } from '../../ui/display/badge.tsx';

export const findingText: Readonly<Record<Finding['state'], TextKey>> = {
  ok: 'admin.finding.ok',
  warning: 'admin.finding.warning',
  wrong: 'admin.finding.wrong',
};

export const findingLook: Readonly<Record<Finding['state'], BadgeState>> = {
  ok: 'good',
  warning: 'modified',
  wrong: 'bad',
};
