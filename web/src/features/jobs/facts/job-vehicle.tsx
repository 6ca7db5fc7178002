/** What is known about the vehicle and the read of a job, how long the job is kept, and the actions on all of it. */
import type { Job } from '@recodery/contract/features/jobs/jobs';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DescriptionList } from '../../../ui/display/description-list.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { useKeepJob } from '../jobs.ts';
import { type VehicleFact, vehicleFacts } from './vehicle-facts.ts';

const DeleteJobDialog = onDemand(
  async () => (await import('../delete-job-dialog.tsx')).DeleteJobDialog,
);

export interface JobVehicleProps {
  readonly job: Job;
  readonly now: Date;
  readonly onDeleted: () => void;
}

/** When the job was imported, and from which export. */
function importFacts(
  { t, language }: ReturnType<typeof useTexts>,
  { imported = null }: Job,
  now: Date,
): VehicleFact[] {
  if (imported === null) return [];
  const { importedOn, customerCode, exportedOn } = imported;
  const time = timeText(importedOn, now, language);
  const value =
    customerCode === null || exportedOn === null
      ? time
      : t('job.importedFrom', {
          time,
          code: customerCode,
          exported: timeText(exportedOn, now, language),
        });
  return [{ label: t('job.imported'), value }];
}

export function JobVehicle({ job, now, onDeleted }: JobVehicleProps) {
  const texts = useTexts();
  const { t, language } = texts;
  const { expiresOn = null, isKept } = job;
  const { mutate: keep, isPending, variables } = useKeepJob(job.slotGUID);
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Panel title={t('job.vehicle')}>
      <DescriptionList
        items={[...vehicleFacts(t, job), ...importFacts(texts, job, now)]}
        missing={t('recoding.notGiven')}
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
        <div className="min-w-0 flex-1 basis-72">
          <Switch
            isSelected={isPending ? variables : isKept}
            onChange={(next) => keep(next, { onError: (thrown) => showFailure(t, thrown) })}
          >
            {t('job.keep')}
          </Switch>
          <p className="text-sm text-ink-3">
            {expiresOn === null
              ? t('job.keptAbout')
              : t('job.keepAbout', { time: timeText(expiresOn, now, language) })}
          </p>
        </div>
        <Button icon={Trash} onPress={() => setIsDeleting(true)} className="max-sm:w-full">
          {t('job.delete')}
        </Button>
      </div>
      {isDeleting && (
        <DeleteJobDialog job={job} onDeleted={onDeleted} onClose={() => setIsDeleting(false)} />
      )}
    </Panel>
  );
}
