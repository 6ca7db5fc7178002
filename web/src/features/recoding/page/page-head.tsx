/** The header of a recoding page: its title, its device, and a link to the utility. */
import { useTexts } from '../../../i18n/texts.ts';
import { PageTitle } from '../../../ui/display/page-title.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { DeviceChooser, type DeviceChoice } from '../../devices/device-chooser.tsx';
import type { FamilyPage } from '../families/family-page.ts';
import { workflowTitle } from '../families/workflow-names.ts';

export interface PageHeadProps extends DeviceChoice {
  readonly page: FamilyPage;
  readonly isBusy?: boolean;
  readonly canUseUtility?: boolean;
}

export function PageHead(props: PageHeadProps) {
  const { t } = useTexts();
  const { page, devices, device, initial, onChoose, isBusy = false, canUseUtility = false } = props;
  const utility = canUseUtility ? page.utility : null;
  return (
    <PageTitle
      title={workflowTitle(t, page.id)}
      aside={<DeviceChooser {...{ devices, device, initial, onChoose, isBusy }} />}
    >
      {t(page.words.lead)}{' '}
      {utility !== null && <TextLink href={`/${utility}`}>{workflowTitle(t, utility)}</TextLink>}
    </PageTitle>
  );
}
