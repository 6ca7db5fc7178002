/** What users see of the messages at this moment, in the language that the operator chooses. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messagesQuery } from '../../features/messages/messages.ts';
import { type Language, languageNames, languageOf, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/display/banner.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { Select } from '../../ui/fields/select.tsx';

export function MessagesPreview() {
  const { t, language } = useTexts();
  const [shown, setShown] = useState<Language>(language);
  const query = useQuery(messagesQuery(shown));
  return (
    <Panel>
      <section className="flex flex-col gap-4" aria-label={t('admin.messages.preview')}>
        <h2 className="text-lg">{t('admin.messages.preview')}</h2>
        <Select
          label={t('admin.field.language')}
          value={shown}
          options={languages.map((id) => ({ id, text: languageNames[id] }))}
          onChange={(id) => setShown(languageOf(id) ?? language)}
          className="max-w-xs"
        />
        <Loaded query={query}>
          {({ all }) =>
            all.length === 0 ? (
              <p className="text-md text-ink-2">{t('admin.messages.nothing')}</p>
            ) : (
              <div className="flex flex-col gap-2" lang={shown}>
                {all.map(({ guid, text }) => (
                  <Banner key={guid} tone="info">
                    <p className="break-words">{text}</p>
                  </Banner>
                ))}
              </div>
            )
          }
        </Loaded>
      </section>
    </Panel>
  );
}
