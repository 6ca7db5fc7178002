/** One page for every workflow: its header, then the steps, or why the user may not open it. */
import { useState } from 'react';
import type { FamilyPage } from '../features/recoding/families/family-page.ts';
import { EntryRefused } from '../features/recoding/page/entry-refused.tsx';
import { PageHead } from '../features/recoding/page/page-head.tsx';
import { PageLoading } from '../features/recoding/page/page-loading.tsx';
import { RecodingSteps } from '../features/recoding/page/recoding-steps.tsx';
import { useEntrance } from '../features/recoding/page/use-entrance.ts';
import { ownWordsOf } from '../i18n/own-words.ts';
import { OwnWords, withTexts } from '../i18n/texts.ts';
import { onDemand } from '../ui/loading/on-demand.tsx';

/** Loaded once a read is decoded. */
const CustomerOfJob = onDemand(
  async () => (await withTexts(import('./jobs/customer-of-job.tsx'), 'jobs')).CustomerOfJob,
);

export interface RecodingPageProps {
  readonly page: FamilyPage;
}

function Content({ page }: RecodingPageProps) {
  const { head, question, work, workKey, entrance, refresh } = useEntrance(page);
  const [isBusy, setIsBusy] = useState(false);
  // an open page stays open, with its result, even if asking again what is allowed is refused
  if (entrance.isLoadingError) {
    return <EntryRefused {...head} thrown={entrance.error} onRefresh={refresh} />;
  }
  return (
    <div className="flex flex-col gap-5">
      {/* stays mounted while loading or changing the device: its open parts stay open, and the focus stays too */}
      <PageHead
        {...head}
        isBusy={isBusy}
        canUseUtility={entrance.data?.entry?.canUseUtility ?? false}
      />
      {question}
      {entrance.data ? (
        <RecodingSteps
          key={workKey}
          {...head}
          {...work}
          entrance={entrance.data}
          onEntryMissing={refresh}
          onBusy={setIsBusy}
          renderBelow={(slotGUID) => <CustomerOfJob key={slotGUID} slotGUID={slotGUID} />}
        />
      ) : (
        <PageLoading />
      )}
    </div>
  );
}

export function RecodingPage({ page }: RecodingPageProps) {
  return (
    <OwnWords value={ownWordsOf(page.id)}>
      <Content page={page} />
    </OwnWords>
  );
}
