/** The files of the organisation with the same content as a file that the user dropped, or as those in an archive. */
import type { FoundFile } from '@recodery/contract/features/jobs/jobs';
import FileQuestion from 'lucide-react/icons/file-question-mark';
import X from 'lucide-react/icons/x';
import { jobPath } from '../../../api/job-path.ts';
import { trueTime } from '../../../api/server-clock.ts';
import { timeText } from '../../../i18n/formats.ts';
import { ownWordsOf } from '../../../i18n/own-words.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { EmptyState } from '../../../ui/display/empty-state.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { Link } from '../../../ui/actions/link.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { iconOf } from '../../recoding/families/registry.ts';
import { useFoundFiles } from '../jobs.ts';

function FoundRow({ file, now }: { readonly file: FoundFile; readonly now: Date }) {
  const { role, slotGUID, fileName, workflow, slaveSerialNumber } = file;
  const { t, language } = useTexts(ownWordsOf(workflow));
  const words = { time: timeText(file.createdOn, now, language), slave: slaveSerialNumber ?? '—' };
  const name = <LongText>{fileName === '…' ? t('jobs.found.jobDeleted') : fileName}</LongText>;
  return (
    <li className="group relative flex items-start gap-3 border-line py-3 text-md not-first:border-t">
      <Icon of={iconOf(workflow)} size={20} className="mt-0.5 text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="text-base font-medium">{t(`jobs.found.${role}`, words)}</p>
        <p className="text-ink-2">
          {slotGUID === null ? (
            name
          ) : (
            <Link
              href={jobPath(slotGUID)}
              className="rounded-[3px] after:absolute after:inset-0 group-hover:underline"
            >
              {name}
            </Link>
          )}
          {file.userDisplayName !== null && ` · ${file.userDisplayName}`}
        </p>
      </div>
      {!file.isThere && <Badge state="neutral">{t('job.gone')}</Badge>}
    </li>
  );
}

/** Each role of a job once: an archive contains several components of the same read. */
function eachOnce(files: readonly FoundFile[]): readonly FoundFile[] {
  const seen = new Set<string>();
  return files.filter(({ slotGUID, role, fileGUID }) => {
    const key = `${slotGUID ?? fileGUID} ${role}`;
    return !seen.has(key) && seen.add(key);
  });
}

export interface FoundFilesProps {
  /** Of the file; several, separated by commas, of the files in an archive. */
  readonly sha256: string;
  /** The name of the dropped file. */
  readonly name: string;
  readonly onClose: () => void;
}

export function FoundFiles({ sha256, name, onClose }: FoundFilesProps) {
  const { t } = useTexts();
  const query = useFoundFiles(sha256);
  const isOne = !sha256.includes(',') && !/\.zip$/i.test(name);
  return (
    <Panel
      title={
        <LongText>{t(isOne ? 'jobs.found.title' : 'jobs.found.inArchive', { name })}</LongText>
      }
      actions={
        <Button size="small" icon={X} onPress={onClose}>
          {t('jobs.found.back')}
        </Button>
      }
    >
      <Loaded query={query}>
        {(files) => (
          <div role="status">
            {files.length === 0 ? (
              <EmptyState icon={FileQuestion} title={t('jobs.found.none')}>
                {t('jobs.found.noneAbout')}
              </EmptyState>
            ) : (
              <ul>
                {(isOne ? files : eachOnce(files)).map((file) => (
                  <FoundRow key={file.fileGUID} file={file} now={trueTime(query.dataUpdatedAt)} />
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
      {isOne && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 border-t border-line pt-3 text-sm text-ink-3">
          {t('job.sha')}
          <CopyCode code={sha256} kind="hash" of={name} />
        </p>
      )}
    </Panel>
  );
}
