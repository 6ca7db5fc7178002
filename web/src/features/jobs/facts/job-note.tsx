/** The note of a job: one text that all users of the organisation read and change. */
import { type Job, longestNote } from '@recodery/contract/features/jobs/jobs';
import { useState } from 'react';
import { timeText } from '../../../i18n/formats.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { useSaveNote } from '../jobs.ts';

export interface JobNoteProps {
  readonly job: Pick<Job, 'slotGUID' | 'note' | 'notedBy' | 'notedOn'>;
  readonly now: Date;
}

export function JobNote({ job, now }: JobNoteProps) {
  const { t, language } = useTexts();
  const { slotGUID, note, notedBy, notedOn } = job;
  const { mutate: save, isPending, error } = useSaveNote(slotGUID);
  /** The typed text; null: the saved note is shown. */
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? note ?? '';
  const isChanged = draft !== null && draft.trim() !== (note ?? '');
  const author = [notedBy, notedOn === null ? null : timeText(notedOn, now, language)].filter(
    Boolean,
  );
  return (
    <Panel title={t('job.note')}>
      <TextField
        label={t('job.noteLabel')}
        lines={4}
        value={text}
        onChange={setDraft}
        maxLength={longestNote}
        hint={author.length === 0 ? t('job.noteHint') : author.join(', ')}
      />
      {error !== null && (
        <div className="mt-3">
          <ProblemPanel {...thrownProblem(t, error)} />
        </div>
      )}
      <Button
        className="mt-3 max-sm:w-full"
        isPending={isPending}
        isDisabled={!isChanged}
        onPress={() =>
          save(text, { onSuccess: () => setDraft((now) => (now === text ? null : now)) })
        }
      >
        {t('job.noteSave')}
      </Button>
      <LeaveGuard kind="changes" isChanged={isChanged} onDiscard={() => setDraft(null)} />
    </Panel>
  );
}
