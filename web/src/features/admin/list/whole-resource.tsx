/** What can be done to all records together: the tasks of a resource with their result, and downloads of its list. */
import Download from 'lucide-react/icons/download';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { showFailure, showToast } from '../../../ui/toasts/toast.tsx';
import { LossDialog } from '../../../ui/dialogs/loss.tsx';
import { ConfirmOnDemand } from '../actions/confirm-on-demand.ts';
import { mustConfirm } from '../records/record-faults.ts';
import { FindingsDialog, type NamedFinding } from '../actions/findings-dialog.tsx';
import { type AnyResource, type ListQuery, saveExport, usePerform } from '../records/records.ts';
import { actionQuestion, actionText } from '../records/resource-words.ts';

export interface WholeResourceProps {
  readonly resource: AnyResource;
  /** What the list shows: downloads contain the same. */
  readonly query: ListQuery;
}

/** The formats of a download by their endings. */
const formats = { csv: 'CSV', jsonl: 'JSON' } as const;

/** The buttons of the tasks, the question before some of them, and their result. */
function Tasks({ resource }: Pick<WholeResourceProps, 'resource'>) {
  const { t } = useTexts();
  const { mutate, reset, isPending, variables, error } = usePerform(resource);
  const [asked, setAsked] = useState<string | null>(null);
  const [found, setFound] = useState<NamedFinding | null>(null);
  const tasks = resource.tasks ?? [];
  const run = (task: string): void => {
    mutate(task, {
      onError: (thrown) => {
        if (!mustConfirm(thrown)) showFailure(t, thrown);
      },
      onSuccess: ({ finding }) => {
        setAsked(null);
        const name = actionText(t, resource, task);
        // the list shows how far it has come
        if (resource.changing !== undefined && finding.state === 'ok')
          showToast({ title: t('admin.started', { action: name }), tone: 'good' });
        else setFound({ ...finding, name });
      },
    });
  };
  const close = (): void => {
    reset();
    setAsked(null);
  };
  return (
    <>
      {tasks.map((task, at) => (
        <Button
          key={task}
          look={at === tasks.length - 1 ? 'primary' : 'secondary'}
          isPending={isPending && variables === task}
          onPress={() => (actionQuestion(t, resource, task) === null ? run(task) : setAsked(task))}
        >
          {actionText(t, resource, task)}
        </Button>
      ))}
      {asked !== null &&
        (mustConfirm(error) ? (
          <ConfirmOnDemand onConfirmed={() => run(asked)} onClose={close} />
        ) : (
          <LossDialog
            title={actionText(t, resource, asked)}
            confirm={actionText(t, resource, asked)}
            isPending={isPending}
            error={null}
            onConfirm={() => run(asked)}
            onClose={close}
          >
            {actionQuestion(t, resource, asked)}
          </LossDialog>
        ))}
      {found !== null && <FindingsDialog findings={[found]} onClose={() => setFound(null)} />}
    </>
  );
}

export function WholeResource({ resource, query }: WholeResourceProps) {
  const { t } = useTexts();
  const download = useMutation({
    mutationFn: (ending: keyof typeof formats) => saveExport(resource, ending, query),
  });
  const endings = resource.hasExport === true ? (['csv', 'jsonl'] as const) : [];
  return (
    <div className="flex flex-wrap gap-2">
      {endings.map((ending) => (
        <Button
          key={ending}
          icon={Download}
          isPending={download.isPending && download.variables === ending}
          onPress={() => download.mutate(ending, { onError: (thrown) => showFailure(t, thrown) })}
        >
          {t('admin.export', { format: formats[ending] })}
        </Button>
      ))}
      <Tasks resource={resource} />
    </div>
  );
}
