/** How the state of a check is shown. */
import type { ActionFinding } from '@recodery/contract/admin/derive-routes';
import type { TextKey } from '../../../i18n/texts.ts';
import type { BadgeState } from '../../../ui/display/badge.tsx';

/** Also those of the parts of a check. */
type FindingState = ActionFinding['state'] | 'unchecked';

export const findingText: Readonly<Record<FindingState, TextKey>> = {
  ok: 'admin.finding.ok',
  warning: 'admin.finding.warning',
  wrong: 'admin.finding.wrong',
  unchecked: 'admin.finding.unchecked',
};

export const findingLook: Readonly<Record<FindingState, BadgeState>> = {
  ok: 'good',
  warning: 'modified',
  wrong: 'bad',
  unchecked: 'neutral',
};
