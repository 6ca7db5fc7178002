/** The time zone of an organisation: of the times in names of files, emails and the operations log. */
import { longestTimeZone } from '@recodery/contract/time-zones';
import { useTexts } from '../../i18n/texts.ts';
import { Panel } from '../../ui/display/panel.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { PreferenceFieldsProps } from './preference-fields.tsx';
import { PreferenceField } from './preference-field.tsx';
import { browserTimeZone, isUsableTimeZone } from './preference-values.ts';

/** The names that this browser knows; an old browser has no list, but knows the names. */
const knownTimeZones: readonly string[] =
  'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];

export function TimeZoneField({ values, onChange }: PreferenceFieldsProps) {
  const { t } = useTexts();
  const { timeZone } = values;
  const isUsable = isUsableTimeZone(timeZone);
  return (
    <Panel title={t('settings.timeZone')}>
      <PreferenceField
        name={t('settings.timeZone')}
        isDefault={timeZone === ''}
        onReset={() => onChange({ timeZone: '' })}
      >
        <TextField
          label={t('settings.timeZoneLabel')}
          value={timeZone}
          onChange={(text) => onChange({ timeZone: text })}
          placeholder={browserTimeZone()}
          maxLength={longestTimeZone}
          suggestions={knownTimeZones}
          error={isUsable ? null : t('settings.timeZoneFault')}
          hint={isUsable && t('settings.timeZoneAbout')}
        />
      </PreferenceField>
    </Panel>
  );
}
