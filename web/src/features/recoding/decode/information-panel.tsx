/** The ECU information of a read. */
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Description, DescriptionList } from '../../../ui/display/description-list.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import { informationFields, labelOf } from '../flow/part-state-text.ts';
import { useOpenPage } from '../flow/open-page.ts';

export function InformationPanel({ read }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  const { page } = useOpenPage();
  const items = informationFields(page, read).map(({ label, as, value }): Description => {
    const isGood = value?.toUpperCase() === 'OK';
    return {
      label: labelOf(t, page, label),
      value:
        as === 'check' && value ? <Badge state={isGood ? 'good' : 'bad'}>{value}</Badge> : value,
      isMono: as === 'code' || as === 'slave',
    };
  });
  return <DescriptionList items={items} missing={t('recoding.notGiven')} />;
}
