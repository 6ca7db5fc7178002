/** Sets up an installation without users. Opened with the link that the server prints, outside of the signed-in pages. */
import { cultures } from '@recodery/contract/cultures';
import type { readSetup } from '@recodery/contract/admin/setup';
import type { AnswerOf } from '@recodery/contract/api';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { SetupForm } from '../features/admin/setup/setup-form.tsx';
import { RecoveryCodes } from '../features/admin/account/factors/recovery-codes.tsx';
import {
  isLinkRefused,
  leaveSetup,
  useOpenedLink,
  useSetUp,
} from '../features/admin/setup/setup-link.ts';
import { currentLanguage, useTexts } from '../i18n/texts.ts';
import { Loaded } from '../ui/loading/loaded.tsx';
import { Mark } from '../ui/display/mark.tsx';
import { PageTitle } from '../ui/display/page-title.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { TextLink } from '../ui/actions/text-link.tsx';

/** The command that prints a new link. */
const command = 'recodery setup-link';

/** The link cannot be used: what to do next. */
function LinkRefused() {
  const { t } = useTexts();
  return (
    <Panel title={t('setup.refused')}>
      <div className="flex flex-col gap-3">
        <p className="max-w-[70ch] text-pretty">{t('setup.refusedAbout')}</p>
        <code className="self-start rounded-s bg-sunken px-3 py-1.5 font-mono text-md select-all">
          {command}
        </code>
        <p className="max-w-[70ch] text-pretty text-ink-2">
          {t('setup.isSetUp')} <TextLink href="/">{t('setup.signIn')}</TextLink>
        </p>
      </div>
    </Panel>
  );
}

/** Browsers create passkeys only for the address of the page. */
function mayAddPasskey({ canAddPasskey, connection }: AnswerOf<typeof readSetup>): boolean {
  const isAtHome = location.origin === connection.publicUrl;
  return canAddPasskey && isAtHome && 'PublicKeyCredential' in window;
}

export function SetupPage() {
  const { t } = useTexts();
  const [parameters] = useSearchParams();
  const token = parameters.get('token') ?? '';
  const link = useOpenedLink(token);
  const { mutate, reset, error, isPending, isSuccess, data } = useSetUp();
  const [culture] = useState(() => cultures.find((one) => one === currentLanguage()) ?? 'en-US');
  const isRefused = isLinkRefused(link.error) || isLinkRefused(error);
  return (
    <main className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-3.5 pt-8 pb-16 sm:px-5 sm:pt-12">
      <Mark size={36} />
      <PageTitle title={t('setup.title')}>
        {!isRefused && <p className="max-w-[70ch]">{t('setup.about')}</p>}
      </PageTitle>
      {isRefused ? (
        <LinkRefused />
      ) : (
        <Loaded
          query={link}
          waiting={
            <Panel>
              <Skeleton lines={8} className="py-2" />
            </Panel>
          }
        >
          {(opened) => (
            <SetupForm
              {...{ token, error }}
              link={{ ...opened, canAddPasskey: mayAddPasskey(opened) }}
              // the home page is loading after it was saved
              isSaving={isPending || isSuccess}
              start={{
                texts: { 'organisation.culture': culture },
                password: '',
                way: mayAddPasskey(opened) ? 'both' : 'password',
                masters: [],
                slaves: [],
              }}
              onChange={reset}
              onSave={mutate}
            />
          )}
        </Loaded>
      )}
      {data !== undefined && data.recoveryCodes !== null && (
        <RecoveryCodes
          codes={data.recoveryCodes}
          onClose={() => leaveSetup(data.session !== null)}
        />
      )}
    </main>
  );
}
