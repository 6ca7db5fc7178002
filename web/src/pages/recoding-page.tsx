/** One page for every way of working with a device family: its head, then the steps, or why it may not be entered. */
import { useState } from 'react';
import type { FamilyPage } from '../features/recoding/families/family-page.ts';
import { NotEntered } from '../features/recoding/page/not-entered.tsx';
import { PageHead } from '../features/recoding/page/page-head.tsx';
import { PageLoading } from '../features/recoding/page/page-loading.tsx';
import { RecodingSteps } from '../features/recoding/page/recoding-steps.tsx';
import { useEntrance } from '../features/recoding/page/use-entrance.ts';
import { OwnWords } from '../i18n/texts.ts';

export interface RecodingPageProps {
  readonly page: FamilyPage;
}

function Content({ page }: RecodingPageProps) {
  const { head, work, workKey, entrance, refresh } = useEntrance(page);
  const [isBusy, setIsBusy] = useState(false);
  if (entrance.isError) {
    return <NotEntered {...head} thrown={entrance.error} onRefresh={refresh} />;
  }
  return (
    <div className="flex flex-col gap-5">
      {/* stands through loading and another device: what is open in it stays open, and so does the focus */}
      <PageHead
        {...head}
        isBusy={isBusy}
        canUseUtility={entrance.data?.entry?.canUseUtility ?? false}
      />
      {entrance.isSuccess ? (
        <RecodingSteps
          key={workKey}
          {...head}
          {...work}
          entrance={entrance.data}
          onEntryMissing={refresh}
          onBusy={setIsBusy}
        />
      ) : (
        <PageLoading />
      )}
    </div>
  );
}

export function RecodingPage({ page }: RecodingPageProps) {
  return (
    <OwnWords value={page.ownWords}>
      <Content page={page} />
    </OwnWords>
  );
}
