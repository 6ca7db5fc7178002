/** The operations log: downloads of the decodes and encodes of the last 30 days. */
import { definitionOf } from '@recodery/contract/families/registry';
import { logDays } from '@recodery/contract/features/operations-log';
import { LogDownloads } from '../features/operations-log/log-downloads.tsx';
import { listedFamilies } from '../features/recoding/families/registry.ts';
import { mayEnterFamily } from '../features/session/entries.ts';
import { useSession } from '../features/session/session.ts';
import { useTexts } from '../i18n/texts.ts';
import { LongText } from '../ui/display/long-text.tsx';
import { PageTitle } from '../ui/display/page-title.tsx';

export function OperationsLogPage() {
  const { t } = useTexts();
  const session = useSession();
  const { customerCode, customerCodeNames } = session;
  // a make without our container only where there are such devices
  const families = listedFamilies.filter(
    (family) => definitionOf(family).container !== undefined || mayEnterFamily(session, family),
  );
  const organisation = [customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-6">
      <PageTitle title={t('menu.operationsLog')}>
        <p className="max-w-[70ch]">
          <LongText>{t('log.about', { organisation, days: logDays })}</LongText>
        </p>
      </PageTitle>
      <LogDownloads families={families} />
    </div>
  );
}
