/** Imports the jobs of an export: the zip to choose, the progress, and what became of each job. */
import { useQueryClient } from '@tanstack/react-query';
import { numberText } from '../../../i18n/formats.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { type TextOf, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { askForReload } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import type { ImportCounts, RefusedJob } from './import-export.ts';
import { type ImportState, startImport, useImportState } from './import-run.ts';
import { NotAnExport } from './not-an-export.ts';

function reasonOf(t: TextOf, { reason, detail, thrown }: RefusedJob): string {
  return reason === null
    ? thrownProblem(t, thrown).headline
    : t(`storage.importReason.${reason}`, { detail: detail ?? '' });
}

function Results({ counts: { imported, there, refused } }: { readonly counts: ImportCounts }) {
  const { t, language } = useTexts();
  const count = (jobs: number) => ({ jobs: numberText(jobs, language) });
  return (
    <>
      <p>{t('storage.imported', count(imported))}</p>
      {there > 0 && <p>{t('storage.importThere', count(there))}</p>}
      {refused.length > 0 && (
        <>
          <p className="font-medium text-bad">
            {t('storage.importRefused', count(refused.length))}
          </p>
          <ul className="max-h-72 list-disc overflow-y-auto ps-5 text-ink-2">
            {refused.map((job, index) => (
              // the list only grows
              <li key={index}>
                <LongText>
                  {t('storage.importRefusedJob', {
                    name: job.name ?? '…',
                    reason: reasonOf(t, job),
                  })}
                </LongText>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Fault({ fault }: { readonly fault: unknown }) {
  const { t } = useTexts();
  const problem =
    fault instanceof NotAnExport
      ? { headline: t('storage.importNotExport'), advice: t('storage.importNotExportText') }
      : thrownProblem(t, fault);
  return <ProblemPanel {...problem} />;
}

function Progress({ counts, cancel }: Extract<ImportState, { at: 'running' }>) {
  const { t, language } = useTexts();
  const done = counts === null ? 0 : counts.imported + counts.there + counts.refused.length;
  const label =
    counts === null
      ? t('storage.importReading')
      : t('storage.importing', {
          done: numberText(Math.min(done + 1, counts.total), language),
          total: numberText(counts.total, language),
        });
  const fraction = counts === null || counts.total === 0 ? null : done / counts.total;
  return (
    <ProgressBar
      label={label}
      fraction={fraction}
      action={<Button onPress={cancel}>{t('storage.importCancel')}</Button>}
    />
  );
}

export function ImportView({
  state,
  onFile,
}: {
  readonly state: ImportState;
  readonly onFile: (file: File) => void;
}) {
  const { t } = useTexts();
  return (
    <Panel title={t('storage.import')}>
      <p className="text-md text-ink-2">{t('storage.importAbout')}</p>
      <div className="mt-4 flex flex-col gap-4">
        {state.at === 'ended' && state.fault !== null && <Fault fault={state.fault} />}
        <div role="status" className="flex flex-col gap-1 text-md empty:hidden">
          {state.at === 'ended' && state.counts !== null && (
            <>
              <p className="font-semibold">
                {t(state.isComplete ? 'storage.importEnded' : 'storage.importStopped')}
              </p>
              <Results counts={state.counts} />
            </>
          )}
        </div>
        {state.at === 'running' ? (
          <Progress {...state} />
        ) : (
          <DropArea
            label={t('storage.importDrop')}
            choose={t('storage.importChoose')}
            onFile={onFile}
          />
        )}
      </div>
    </Panel>
  );
}

export function ImportPanel() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const start = (file: File) => void startImport(queries, file, () => askForReload(t));
  return <ImportView state={useImportState()} onFile={start} />;
}
