/** While jobs of the list are being selected: how many are, and the button that keeps them. */
import { mostKeptAtOnce } from '@recodery/contract/features/jobs/kept-jobs';
import Pin from 'lucide-react/icons/pin';
import { numberText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { showFailure, showToast } from '../../../ui/toasts/toast.tsx';
import { useKeepJobs } from '../jobs.ts';

export interface KeepSelectedProps {
  /** The jobs of the list that are loaded. */
  readonly shown: readonly string[];
  readonly selected: ReadonlySet<string>;
  /** Null ends the selection. */
  readonly onChange: (selected: ReadonlySet<string> | null) => void;
}

export function KeepSelected({ shown, selected, onChange }: KeepSelectedProps) {
  const { t, language } = useTexts();
  const { mutate: keep, isPending } = useKeepJobs();
  // a job that is no longer in the list is not visible, so it is not kept either
  const chosen = shown.filter((guid) => selected.has(guid)).slice(0, mostKeptAtOnce);
  const keepAll = (): void =>
    keep(chosen, {
      onSuccess: ({ jobs }) => {
        showToast({ title: t('jobs.keptSelected', { jobs: numberText(jobs, language) }) });
        onChange(null);
      },
      onError: (thrown) => showFailure(t, thrown),
    });
  return (
    <div className="sticky top-2 z-10 -mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-l border border-line bg-surface px-4 py-2.5 shadow-pop sm:px-[22px]">
      <p role="status" className="mr-auto text-md font-semibold tabular-nums">
        {t('jobs.selected', { jobs: numberText(chosen.length, language) })}
      </p>
      <Button
        size="small"
        look="quiet"
        onPress={() => onChange(new Set(shown.slice(0, mostKeptAtOnce)))}
      >
        {t('jobs.selectAll')}
      </Button>
      <div className="ml-auto flex gap-4">
        <Button size="small" onPress={() => onChange(null)}>
          {t('ui.cancel')}
        </Button>
        <Button
          size="small"
          look="primary"
          icon={Pin}
          isPending={isPending}
          isDisabled={chosen.length === 0}
          onPress={keepAll}
        >
          {t('jobs.keepSelected')}
        </Button>
      </div>
    </div>
  );
}
