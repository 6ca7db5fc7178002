/** The storage that is used, the retention, and the full export. */
import type { StorageSettings } from '@recodery/contract/features/jobs/jobs';
import FolderArchive from 'lucide-react/icons/folder-archive';
import { useState } from 'react';
import { numberText, percentText, sizeText } from '../../../i18n/formats.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LossDialog } from '../../../ui/dialogs/loss.tsx';
import type { LossDialogProps } from '../../../ui/dialogs/loss-dialog.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { Originals } from '../../originals/open-originals.ts';
import { ImportPanel } from '../import-export/import-panel.tsx';
import { useExport, useSaveRetention } from './storage.ts';

export interface StoragePanelProps {
  readonly settings: StorageSettings;
}

function Used({ settings }: StoragePanelProps) {
  const { t, language } = useTexts();
  const { usedBytes, spareBytes = 0, organisationBytes, jobs, keptJobs } = settings;
  const share = Math.min(1, usedBytes / organisationBytes);
  const words = t('storage.usedOf', {
    used: sizeText(usedBytes, language),
    total: sizeText(organisationBytes, language),
    share: percentText(share, language),
  });
  return (
    <Panel title={t('storage.used')}>
      <p className="text-lg font-semibold tabular-nums">{words}</p>
      <div
        role="meter"
        aria-label={t('storage.used')}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={words}
        className="mt-2 h-2 overflow-hidden rounded-full bg-sunken forced-colors:border"
      >
        <div
          className="h-full rounded-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className="mt-2 text-md text-ink-2">
        {t('storage.jobs', {
          jobs: numberText(jobs, language),
          kept: numberText(keptJobs, language),
        })}
      </p>
      {spareBytes > 0 && (
        <p className="text-md text-ink-2">
          {t('storage.spare', { size: sizeText(spareBytes, language) })}
        </p>
      )}
    </Panel>
  );
}

interface DaysFieldProps extends StoragePanelProps {
  readonly isValid: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function DaysField({ settings, isValid, text, onChange }: DaysFieldProps) {
  const { t } = useTexts();
  const { defaultDays, leastDays: least, mostDays: most } = settings;
  return (
    <div className="max-w-md">
      <TextField
        inputMode="numeric"
        autoComplete="off"
        label={t('storage.days')}
        value={text}
        onChange={onChange}
        maxLength={5}
        hint={t('storage.daysHint', { least, most, usual: defaultDays })}
        error={isValid ? null : t('storage.daysFault', { least, most })}
      />
    </div>
  );
}

interface ShortenQuestionProps
  extends Pick<LossDialogProps, 'isPending' | 'error' | 'onConfirm' | 'onClose'> {
  /** The new retention. */
  readonly days: number;
}

/** Asks before a shorter retention deletes older jobs. */
function ShortenQuestion({ days, ...rest }: ShortenQuestionProps) {
  const { t } = useTexts();
  return (
    <LossDialog title={t('storage.shortenTitle')} confirm={t('storage.shorten')} {...rest}>
      {t('storage.shortenAbout', { count: days })}
    </LossDialog>
  );
}

/** The retention for users who cannot change it. */
function FixedRetention({ settings }: StoragePanelProps) {
  const { t, language } = useTexts();
  const { retentionDays, defaultDays } = settings;
  return (
    <Panel title={t('storage.retention')}>
      <dl>
        <dt className="text-sm text-ink-3">{t('storage.days')}</dt>
        <dd className="text-lg font-semibold tabular-nums">
          {numberText(retentionDays ?? defaultDays, language)}
        </dd>
      </dl>
    </Panel>
  );
}

function Retention({ settings }: StoragePanelProps) {
  const { t } = useTexts();
  const { retentionDays, defaultDays, leastDays, mostDays } = settings;
  const { mutate, isPending, error } = useSaveRetention();
  const current = retentionDays ?? defaultDays;
  /** The typed text; null: the saved value is shown. */
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? String(current);
  /** The shorter retention that needs confirmation; null is the default. */
  const [asked, setAsked] = useState<{ readonly days: number | null } | null>(null);
  const days = Number(text);
  const isValid = /^\d{1,5}$/.test(text.trim()) && days >= leastDays && days <= mostDays;
  const save = (next: number | null): void =>
    mutate(next, {
      onSuccess: () => {
        setAsked(null);
        // the user may have typed more in the meantime
        setDraft((now) => (now === draft ? null : now));
      },
    });
  const ask = (next: number | null): void =>
    (next ?? defaultDays) < current ? setAsked({ days: next }) : save(next);
  return (
    <Panel title={t('storage.retention')}>
      <LeaveGuard
        kind="changes"
        isChanged={text.trim() !== String(current)}
        onDiscard={() => setDraft(null)}
      />
      <DaysField settings={settings} isValid={isValid} text={text} onChange={setDraft} />
      {error !== null && asked === null && <ProblemPanel {...thrownProblem(t, error)} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          look="primary"
          isPending={isPending && asked === null}
          isDisabled={!isValid || (days === current && retentionDays !== null)}
          onPress={() => ask(days)}
        >
          {t('storage.save')}
        </Button>
        <Button isDisabled={retentionDays === null} onPress={() => ask(null)}>
          {t('storage.reset')}
        </Button>
      </div>
      {asked !== null && (
        <ShortenQuestion
          days={asked.days ?? defaultDays}
          isPending={isPending}
          error={error}
          onConfirm={() => save(asked.days)}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

export function StoragePanel({
  settings,
  canManage,
}: StoragePanelProps & { readonly canManage: boolean }) {
  const { t } = useTexts();
  const { mutate: download, isPending } = useExport();
  return (
    <>
      <Used settings={settings} />
      {canManage ? <Retention settings={settings} /> : <FixedRetention settings={settings} />}
      <Panel title={t('storage.export')}>
        <p className="text-md text-ink-2">{t('storage.exportAbout')}</p>
        <Button
          icon={FolderArchive}
          className="mt-4 max-sm:w-full"
          isPending={isPending}
          onPress={() => download(undefined, { onError: (thrown) => showFailure(t, thrown) })}
        >
          {t('storage.exportDownload')}
        </Button>
      </Panel>
      <ImportPanel />
      <Originals canManage={canManage} />
    </>
  );
}
