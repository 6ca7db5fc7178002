/** Downloads the directory file, and applies a changed one after a preview. */
import {
  type DirectoryPreview,
  downloadDirectory,
  type PreviewedChange,
} from '@recodery/contract/admin/directory';
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { saveFile } from '../../../api/files/download.ts';
import { numberText } from '../../../i18n/formats.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { ProgressBar } from '../../../ui/display/progress-bar.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { type FileState, useDirectoryFile } from './directory-file.ts';
import { PreviewedChanges } from './previewed-changes.tsx';

function DownloadPanel() {
  const { t } = useTexts();
  const download = useMutation({
    mutationFn: () => saveFile(downloadDirectory, {}),
    onError: (thrown) => showFailure(t, thrown),
  });
  return (
    <Panel
      title={t('directory.downloadTitle')}
      actions={
        <Button icon={Download} isPending={download.isPending} onPress={() => download.mutate()}>
          {t('admin.action.download')}
        </Button>
      }
    >
      <p className="max-w-[70ch] text-md text-ink-2">{t('directory.downloadAbout')}</p>
    </Panel>
  );
}

function Mistakes({ mistakes }: Pick<DirectoryPreview, 'mistakes'>) {
  const { t, language } = useTexts();
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="font-semibold text-bad">{t('directory.refused')}</p>
      <p className="text-md text-ink-2">{t('directory.refusedAbout')}</p>
      <ol className="flex max-h-96 flex-col gap-2 overflow-y-auto">
        {mistakes.map(({ line, text }, at) => (
          // two mistakes can be the same
          <li key={at} className="flex flex-wrap gap-x-3 text-md">
            <span className="shrink-0 text-ink-3 tabular-nums">
              {line === null
                ? t('directory.noLine')
                : t('directory.line', { line: numberText(line, language) })}
            </span>
            <span lang="en" className="min-w-0 wrap-anywhere">
              {text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

export interface PreviewProps {
  readonly changes: readonly PreviewedChange[];
  readonly mistakes: DirectoryPreview['mistakes'];
  readonly fileName: string;
  /** A colleague has changed something since the preview before. */
  readonly isNew: boolean;
  readonly isPending: boolean;
  readonly onApply: (move: boolean) => void;
  readonly onClear: () => void;
}

export function Preview({ changes, mistakes, ...props }: PreviewProps) {
  const { t, language } = useTexts();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const moves = changes.filter((change) => change.moves.length > 0).length;
  const canApply = mistakes.length === 0 && changes.length > 0 && (moves === 0 || isConfirmed);
  const count = (number: number) => ({ number: numberText(number, language) });
  return (
    <div className="flex flex-col gap-4">
      {props.isNew && (
        <p role="alert" className="font-semibold text-modified">
          {t('directory.changed')}
        </p>
      )}
      <p className="font-medium wrap-anywhere">{props.fileName}</p>
      {mistakes.length > 0 ? (
        <Mistakes {...{ mistakes }} />
      ) : (
        <p role="status">
          {changes.length === 0 ? t('directory.none') : t('directory.count', count(changes.length))}
        </p>
      )}
      <PreviewedChanges {...{ changes }} />
      {moves > 0 && (
        <Checkbox isSelected={isConfirmed} onChange={setIsConfirmed}>
          {t('directory.confirmMoves', count(moves))}
        </Checkbox>
      )}
      <div className="flex flex-wrap gap-2">
        {mistakes.length === 0 && changes.length > 0 && (
          <Button
            look="primary"
            isDisabled={!canApply}
            isPending={props.isPending}
            onPress={() => props.onApply(isConfirmed)}
          >
            {t('directory.apply')}
          </Button>
        )}
        <Button onPress={props.onClear}>{t('directory.another')}</Button>
      </div>
    </div>
  );
}

function UploadPanel({ file }: { readonly file: ReturnType<typeof useDirectoryFile> }) {
  const { t, language } = useTexts();
  const { preview, apply, clear } = file;
  const state: FileState = file.state;
  const error = preview.error ?? apply.error;
  return (
    <Panel title={t('directory.upload')}>
      <div className="flex flex-col gap-4">
        <p className="max-w-[70ch] text-md text-ink-2">{t('directory.uploadAbout')}</p>
        {error !== null && <ProblemPanel {...thrownProblem(t, error)} />}
        {state.at === 'applied' && (
          <p role="status" className="font-semibold text-good">
            {t('directory.applied', { number: numberText(state.count, language) })}
          </p>
        )}
        {preview.isPending ? (
          <ProgressBar label={t('directory.checking')} fraction={null} />
        ) : state.at === 'previewed' ? (
          <Preview
            key={state.preview.plan}
            {...state.preview}
            fileName={state.file.name}
            isNew={state.isNew}
            isPending={apply.isPending}
            onApply={(move) => apply.mutate({ move })}
            onClear={clear}
          />
        ) : (
          <DropArea
            label={t('directory.drop')}
            choose={t('directory.choose')}
            onFile={(chosen) => preview.mutate(chosen)}
          />
        )}
      </div>
    </Panel>
  );
}

export function DirectoryPanels() {
  const file = useDirectoryFile();
  return (
    <>
      <DownloadPanel />
      <UploadPanel {...{ file }} />
    </>
  );
}
