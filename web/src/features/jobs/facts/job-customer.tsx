/** What users enter about the customer and the vehicle of a job: all users of the organisation read and change it. */
import { type Job, longestVehicleEntry } from '@recodery/contract/features/jobs/jobs';
import { type FormEvent, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useSaveVehicle, type VehicleEntry } from '../jobs.ts';

const fields = ['customerLabel', 'plate', 'vehicleMake', 'vehicleModel'] as const;

export interface JobCustomerProps {
  readonly job: Pick<Job, 'slotGUID' | (typeof fields)[number]>;
}

export function JobCustomer({ job }: JobCustomerProps) {
  const { t } = useTexts();
  const { mutate: save, isPending, error } = useSaveVehicle(job.slotGUID);
  /** What the user has typed; fields that it does not name have the saved value. */
  const [draft, setDraft] = useState<VehicleEntry>({});
  const textOf = (field: (typeof fields)[number]): string => draft[field] ?? job[field] ?? '';
  const changed = fields.filter((field) => textOf(field).trim() !== (job[field] ?? ''));
  const isChanged = changed.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChanged || isPending) return;
    // a colleague may have changed the other fields in the meantime
    const change = Object.fromEntries(changed.map((field) => [field, textOf(field)]));
    save(change, { onSuccess: () => setDraft((now) => (now === draft ? {} : now)) });
  };
  return (
    <Panel title={t('job.customer')}>
      <form onSubmit={submit}>
        <div className="grid gap-3 sm:grid-cols-2">
          {fields.map((field) => (
            <TextField
              key={field}
              label={t(`job.${field}`)}
              value={textOf(field)}
              onChange={(text) => setDraft((now) => ({ ...now, [field]: text }))}
              maxLength={longestVehicleEntry}
              autoComplete="off"
            />
          ))}
        </div>
        <p className="mt-2 text-sm text-ink-3">{t('job.customerHint')}</p>
        {error !== null && (
          <div className="mt-3">
            <ProblemPanel {...thrownProblem(t, error)} />
          </div>
        )}
        <Button
          type="submit"
          className="mt-3 max-sm:w-full"
          isPending={isPending}
          isDisabled={!isChanged}
        >
          {t('job.customerSave')}
        </Button>
      </form>
      <LeaveGuard kind="changes" isChanged={isChanged} onDiscard={() => setDraft({})} />
    </Panel>
  );
}
