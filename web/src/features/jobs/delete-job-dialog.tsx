/** Asks for confirmation before a job is deleted, and names what is lost. */
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { listText, sizeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LongText } from '../../ui/display/long-text.tsx';
import { LossDialog } from '../../ui/dialogs/loss-dialog.tsx';
import { useDeleteJob } from './jobs.ts';

export interface DeleteJobDialogProps {
  readonly job: Pick<Job, 'slotGUID' | 'fileName' | 'files' | 'isKept'>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteJobDialog({ job, onDeleted, onClose }: DeleteJobDialogProps) {
  const { t, language } = useTexts();
  const { mutate, isPending, error } = useDeleteJob(job.slotGUID);
  const there = job.files.filter(({ isThere }) => isThere);
  const originals = there.flatMap(({ name, isOriginal }) => (isOriginal ? [name] : []));
  const size = sizeText(
    there.reduce((sum, file) => sum + file.size, 0),
    language,
  );
  return (
    <LossDialog
      title={t('job.deleteTitle')}
      confirm={t('job.delete')}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(undefined, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {job.isKept && (
        <strong className="mb-2 block font-medium text-ink">{t('job.deleteKept')}</strong>
      )}
      {originals.length > 0 && (
        <strong className="mb-2 block font-medium text-ink">
          <LongText>{t('job.deleteOriginals', { names: listText(originals, language) })}</LongText>
        </strong>
      )}
      {t('job.deleteAbout', { name: job.fileName, files: there.length, size })}
    </LossDialog>
  );
}
