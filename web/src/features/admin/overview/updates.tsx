/** Whether a newer version is out, when that was asked, and what has changed in this one. */
import type { Overview } from '@recodery/contract/admin/overview';
import { useState } from 'react';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';

const Changelog = onDemand(async () => (await import('./changelog.tsx')).Changelog);

export interface UpdatesProps {
  readonly updates: Overview['updates'];
  /** The reference time for formatting times. */
  readonly now: Date;
}

/** The result of the last request. */
function Result({
  updates,
  now,
}: {
  readonly updates: NonNullable<Overview['updates']>;
  readonly now: Date;
}) {
  const { t, language } = useTexts();
  const { askedOn, newer, error } = updates;
  if (askedOn === null) return <p className="text-md text-ink-2">{t('admin.updates.never')}</p>;
  const value = timeText(askedOn, now, language);
  const asked = t('ui.labelled', { label: t('admin.updates.askedOn'), value });
  return (
    <>
      {newer !== null && (
        <p>
          <Badge state="modified">{t('admin.updates.newer', { version: newer })}</Badge>
        </p>
      )}
      <p className="text-sm wrap-anywhere text-ink-2">
        {asked}
        {newer === null && error === null && ` · ${t('admin.updates.current')}`}
        {error !== null &&
          ` · ${t('ui.labelled', { label: t('admin.updates.failed'), value: error })}`}
      </p>
    </>
  );
}

export function Updates({ updates, now }: UpdatesProps) {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      {updates !== null && <Result updates={updates} now={now} />}
      <Button size="small" onPress={() => setIsOpen(true)}>
        {t('admin.updates.changelog')}
      </Button>
      {isOpen && <Changelog onClose={() => setIsOpen(false)} />}
    </div>
  );
}
