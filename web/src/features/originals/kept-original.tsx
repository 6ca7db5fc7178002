/** Whether a decoded image is kept as an original, how it differs from one, and the button that keeps it. */
import type { KeptOriginal } from '@recodery/contract/features/originals';
import Archive from 'lucide-react/icons/archive';
import { jobPath } from '../../api/job-path.ts';
import { trueTime } from '../../api/server-clock.ts';
import { numberText, timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { showFailure, showToast } from '../../ui/toasts/toast.tsx';
import { useDifference, useKeepOriginal, useOriginalsOf } from './originals.ts';

export interface KeptOriginalProps {
  readonly fileGUID: string;
  /** The name of the component; null for the only image of a read. */
  readonly part: string | null;
}

/** When an original was kept, and by whom. `updatedAt`: when the response came, in milliseconds since 1970. */
export function useKeptFacts(updatedAt: number): (original: KeptOriginal) => string {
  const { language } = useTexts();
  const now = trueTime(updatedAt);
  return ({ keptOn, keptBy }) =>
    [timeText(keptOn, now, language), keptBy].filter(Boolean).join(' · ');
}

function Nearest({
  fileGUID,
  original,
  factsOf,
}: {
  readonly fileGUID: string;
  readonly factsOf: ReturnType<typeof useKeptFacts>;
  readonly original: KeptOriginal & { readonly isEqual: boolean };
}) {
  const { t, language } = useTexts();
  const facts = factsOf(original);
  const { isEqual, slotGUID, readFileName } = original;
  const bytes = useDifference(isEqual ? null : original.fileGUID, fileGUID);
  if (!isEqual && bytes === undefined) return null;
  return (
    <p className="text-ink-2">
      <LongText>
        {isEqual
          ? t('images.equal', { facts })
          : t('images.differs', { facts, bytes: numberText(bytes ?? 0, language) })}
      </LongText>{' '}
      <TextLink href={jobPath(slotGUID)}>{readFileName}</TextLink>
    </p>
  );
}

export function KeptOriginalLine({ fileGUID, part }: KeptOriginalProps) {
  const { t } = useTexts();
  const { data, dataUpdatedAt } = useOriginalsOf(fileGUID);
  const factsOf = useKeptFacts(dataUpdatedAt);
  const { mutate: keep, isPending } = useKeepOriginal(fileGUID);
  if (data === undefined) return null;
  const { own, others } = data;
  const [nearest] = others;
  return (
    <div className="my-1 flex flex-wrap items-center gap-x-4 gap-y-2 text-md" aria-live="polite">
      {part !== null && <span className="min-w-16 font-semibold">{part}</span>}
      {own !== null && <p>{t('images.kept', { facts: factsOf(own) })}</p>}
      {nearest !== undefined && (
        <Nearest fileGUID={fileGUID} original={nearest} factsOf={factsOf} />
      )}
      {own === null && nearest?.isEqual !== true && (
        <Button
          size="small"
          icon={Archive}
          isPending={isPending}
          onPress={() =>
            keep(undefined, {
              onSuccess: ({ reason }) => {
                if (reason === null) return;
                showToast({
                  title: t('images.notKept'),
                  detail: t(`images.reason.${reason}`),
                  tone: 'bad',
                });
              },
              onError: (thrown) => showFailure(t, thrown),
            })
          }
        >
          {t('images.keep')}
          {part !== null && <span className="sr-only"> {part}</span>}
        </Button>
      )}
    </div>
  );
}
