/** What can be done to all records together: the tasks of a resource with their result, and downloads of its list. */
import Download from 'lucide-react/icons/download';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { FindingsDialog, type NamedFinding } from './findings-dialog.tsx';
import { type AnyResource, type ListQuery, saveExport, usePerform } from './records.ts';
import { actionText } from './resource-words.ts';

export interface WholeResourceProps {
  readonly resource: AnyResource;
  /** What the list shows: downloads contain the same. */
  readonly query: ListQuery;
}

/** The formats of a download by their endings. */
const formats = { csv: 'CSV', jsonl: 'JSON' } as const;

export function WholeResource({ resource, query }: WholeResourceProps) {
  const { t } = useTexts();
  const perform = usePerform(resource);
  const [found, setFound] = useState<NamedFinding | null>(null);
  const download = useMutation({
    mutationFn: (ending: keyof typeof formats) => saveExport(resource, ending, query),
  });
  const tasks = resource.tasks ?? [];
  const endings = resource.hasExport === true ? (['csv', 'jsonl'] as const) : [];
  const onError = (thrown: unknown): void => showFailure(t, thrown);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {endings.map((ending) => (
          <Button
            key={ending}
            icon={Download}
            isPending={download.isPending && download.variables === ending}
            onPress={() => download.mutate(ending, { onError })}
          >
            {t('admin.export', { format: formats[ending] })}
          </Button>
        ))}
        {tasks.map((task, at) => (
          <Button
            key={task}
            look={at === tasks.length - 1 ? 'primary' : 'secondary'}
            isPending={perform.isPending && perform.variables === task}
            onPress={() =>
              perform.mutate(task, {
                onError,
                onSuccess: ({ finding }) =>
                  setFound({ ...finding, name: actionText(t, resource, task) }),
              })
            }
          >
            {actionText(t, resource, task)}
          </Button>
        ))}
      </div>
      {found !== null && <FindingsDialog findings={[found]} onClose={() => setFound(null)} />}
    </>
  );
}
