/** At the top of the bell's list: which jobs the retention deletes within a week, and when; one click keeps all of them. */
import Hourglass from 'lucide-react/icons/hourglass';
import { useEffect, useEffectEvent } from 'react';
import { trueTime } from '../../api/server-clock.ts';
import { numberText, timeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { TextLink } from '../../ui/actions/text-link.tsx';
import { showFailure, showToast } from '../../ui/toasts/toast.tsx';
import { useExpiringJobs, useKeepExpiring, useSeeExpiring } from './expiring-jobs.ts';

export function ExpiringNotice({ onLeave }: { readonly onLeave: () => void }) {
  const { t, language } = useTexts();
  const { data: expiring, dataUpdatedAt } = useExpiringJobs();
  const see = useEffectEvent(useSeeExpiring());
  const { mutate: keep, isPending } = useKeepExpiring();
  const { jobs = 0, first = [], lastOn = null, isNew = false } = expiring ?? {};
  useEffect(() => {
    if (isNew) see();
  }, [isNew]);
  if (lastOn === null) return null;
  const now = trueTime(dataUpdatedAt);
  const keepAll = (): void =>
    keep(lastOn, {
      onSuccess: (kept) =>
        showToast({ title: t('storage.keptAll', { jobs: numberText(kept.jobs, language) }) }),
      onError: (thrown) => showFailure(t, thrown),
    });
  return (
    <section className="flex items-start gap-3 border-b border-line bg-modified-soft px-4 py-3">
      <Icon of={Hourglass} size={20} className="mt-0.5 shrink-0 text-modified" />
      <div className="min-w-0 flex-1">
        <h2 className="text-md font-semibold">{t('storage.expiring', { count: jobs })}</h2>
        <ul className="text-sm text-ink-2">
          {first.map(({ slotGUID, fileName, expiresOn }) => (
            <li key={slotGUID}>
              <LongText>
                {t('storage.expiringJob', {
                  name: fileName,
                  time: timeText(expiresOn, now, language),
                })}
              </LongText>
            </li>
          ))}
          {jobs > first.length && (
            <li>{t('storage.expiringMore', { time: timeText(lastOn, now, language) })}</li>
          )}
        </ul>
        <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-md">
          <Button size="small" isPending={isPending} onPress={keepAll}>
            {t('storage.keepAll')}
          </Button>
          <TextLink href="/jobs?expiring" onClick={onLeave}>
            {t('storage.expiringShow')}
          </TextLink>
        </div>
      </div>
    </section>
  );
}
