/** The fields of the settings: the names of files with a live example, and the defaults for sending. */
import { definitionOf, type familiesWithNameFormat } from '@recodery/contract/families/registry';
import {
  defaultFileNameFormat,
  type FormatFault,
  maxFormatLength,
  placeholderLetters,
  readFileNameFormat,
} from '@recodery/contract/file-names';
import { autoSendActions } from '@recodery/contract/features/recoding/recoding';
import { type TextKey, type TextOf, useTexts } from '../../i18n/texts.ts';
import { LongText } from '../../ui/display/long-text.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { PreferenceField } from './preference-field.tsx';
import {
  defaultValues,
  exampleName,
  type PreferenceDraft,
  type PreferenceValues,
} from './preference-values.ts';

export interface PreferenceFieldsProps {
  readonly values: PreferenceValues;
  readonly onChange: (change: PreferenceDraft) => void;
}

const faultTexts = {
  placeholder: 'settings.faultPlace',
  character: 'settings.faultSign',
  name: 'settings.faultName',
} as const satisfies Record<FormatFault, TextKey>;

function faultText(t: TextOf, format: string): string | null {
  const { fault } = readFileNameFormat(format);
  return fault === null ? null : t(faultTexts[fault]);
}

export interface NameFieldsProps extends PreferenceFieldsProps {
  /** The families whose fields are shown; not empty. */
  readonly families: typeof familiesWithNameFormat;
}

const decoded = { family: null, field: 'decodedFileNameFormat' } as const;

/** The meaning of each placeholder. */
function Placeholders() {
  const { t } = useTexts();
  return (
    <dl className="mb-5 grid max-w-[70ch] grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-md sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)]">
      {placeholderLetters.map((letter) => (
        <div key={letter} className="contents">
          <dt className="font-mono">{`%${letter}`}</dt>
          <dd className="text-ink-2">{t(`settings.place.${letter}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The name formats of files, each with an example file name. */
export function NameFields({ families, values, onChange }: NameFieldsProps) {
  const { t } = useTexts();
  return (
    <Panel title={t('settings.names')}>
      <p className="mb-5 max-w-[70ch] text-ink-2">{t('settings.namesAbout')}</p>
      <Placeholders />
      {[...families, decoded].map(({ family, field }) => {
        const label =
          family === null
            ? t('settings.decodedFileNameFormat')
            : t('settings.encodedFileNameFormat', { name: definitionOf(family).name });
        const format = values[field];
        const fault = faultText(t, format);
        return (
          <PreferenceField
            key={field}
            name={label}
            isDefault={format === ''}
            onReset={() => onChange({ [field]: '' })}
          >
            <TextField
              label={label}
              value={format}
              onChange={(text) => onChange({ [field]: text })}
              placeholder={defaultFileNameFormat}
              maxLength={maxFormatLength}
              isMono
              error={fault}
              hint={
                fault === null && (
                  <>
                    {t('settings.example')}{' '}
                    <span className="font-mono text-ink-2">
                      <LongText>{exampleName(family, format, values.timeZone)}</LongText>
                    </span>
                  </>
                )
              }
            />
          </PreferenceField>
        );
      })}
    </Panel>
  );
}

const actionWords = {
  Encode: 'recoding.encode',
  EncodeAndSend: 'recoding.encodeAndSend',
} as const satisfies Record<(typeof autoSendActions)[number], TextKey>;

/** The defaults for sending; shown to users who may send. */
export function SendingFields({ values, onChange }: PreferenceFieldsProps) {
  const { t } = useTexts();
  const isPrivate = values.isPrivate ?? defaultValues.isPrivate;
  return (
    <Panel title={t('settings.sending')}>
      <PreferenceField
        name={t('settings.action')}
        isDefault={values.action === null}
        onReset={() => onChange({ action: null })}
      >
        <Select
          label={t('settings.action')}
          value={values.action ?? defaultValues.action}
          options={autoSendActions.map((action) => ({ id: action, text: t(actionWords[action]) }))}
          onChange={(id) => {
            const action = autoSendActions.find((offered) => offered === id);
            if (action) onChange({ action });
          }}
          className="md:max-w-80"
        />
        <p className="mt-1.5 text-sm text-ink-3">{t('settings.actionAbout')}</p>
      </PreferenceField>
      <PreferenceField
        name={t('settings.private')}
        isDefault={values.isPrivate === null}
        isLabelAbove={false}
        onReset={() => onChange({ isPrivate: null })}
      >
        <Switch isSelected={isPrivate} onChange={(next) => onChange({ isPrivate: next })}>
          {t('settings.private')}
        </Switch>
        <p className="text-sm text-ink-3">
          {t(isPrivate ? 'settings.privateOn' : 'settings.privateOff')}
        </p>
      </PreferenceField>
    </Panel>
  );
}
