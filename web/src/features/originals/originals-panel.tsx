/** The images that the organisation keeps as originals; managers can remove them. */
import Trash from 'lucide-react/icons/trash-2';
import { jobPath } from '../../api/job-path.ts';
import { sizeText } from '../../i18n/formats.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { ProblemPanel } from '../../ui/display/problem-panel.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { useKeptFacts } from './kept-original.tsx';
import { useOriginals, useRemoveOriginal } from './originals.ts';

export function OriginalsPanel({ canManage }: { readonly canManage: boolean }) {
  const { t, language } = useTexts();
  const { data, error, dataUpdatedAt } = useOriginals();
  const factsOf = useKeptFacts(dataUpdatedAt);
  const { mutate: remove, isPending, variables } = useRemoveOriginal();
  return (
    <Panel title={t('images.originals')}>
      <p className="text-md text-ink-2">{t('images.originalsAbout')}</p>
      {error !== null && <ProblemPanel {...thrownProblem(t, error)} />}
      {data?.length === 0 && <p className="mt-3 text-md">{t('images.none')}</p>}
      <ul className="mt-3">
        {data?.map((original) => (
          <li
            key={original.fileGUID}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line py-3 text-md not-last:border-b"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold">
                <LongText>{original.software ?? original.name}</LongText>{' '}
                <span className="text-sm font-normal whitespace-nowrap text-ink-3">
                  {sizeText(original.size, language)}
                </span>
              </p>
              <p className="text-ink-2">
                <TextLink href={jobPath(original.slotGUID)}>{original.readFileName}</TextLink>
              </p>
              <p className="text-ink-2">{t('images.kept', { facts: factsOf(original) })}</p>
            </div>
            {canManage && (
              <Button
                size="small"
                icon={Trash}
                isPending={isPending && variables === original.fileGUID}
                onPress={() =>
                  remove(original.fileGUID, { onError: (thrown) => showFailure(t, thrown) })
                }
              >
                {t('images.remove')}
                <span className="sr-only"> {original.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
