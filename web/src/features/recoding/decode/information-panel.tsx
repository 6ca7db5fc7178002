/** The ECU information of a read. */
import { writtenDateText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { type Description, DescriptionList } from '../../../ui/description-list.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import type { InformationField } from '../families/family-page.ts';

export interface InformationPanelProps {
  readonly fields: readonly InformationField[];
  readonly read: DecodedRead;
}

export function InformationPanel({ fields, read }: InformationPanelProps) {
  const { t } = useTexts();
  const values = new Map(read.information.map(({ label, value }) => [label, value]));
  const items = fields.map(({ name, label, as }): Description => {
    const written = values.get(name) ?? null;
    const value = as === 'date' && written !== null ? writtenDateText(written) : written;
    const isGood = value?.toUpperCase() === 'OK';
    return {
      label: t(label),
      value:
        as === 'check' && value ? <Badge state={isGood ? 'good' : 'bad'}>{value}</Badge> : value,
      isMono: as === 'code' || as === 'slave',
    };
  });
  return <DescriptionList items={items} missing={t('recoding.notGiven')} />;
}
