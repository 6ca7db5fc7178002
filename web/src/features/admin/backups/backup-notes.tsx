/** What operators should know next to the list of backups: the last verified one, the schedule, and what is in them. */
import { backups, backupSchedule } from '@recodery/contract/admin/backup-resources';
import { zeroGuid } from '@recodery/contract/api';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { trueTime } from '../../../api/server-clock.ts';
import { timeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Link } from '../../../ui/actions/link.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { type AnyRecord, useRecord, useRecords } from '../records/records.ts';
import { RestoreSteps } from './restore-steps.tsx';

const newestFirst = { search: '', sort: backups.sort };

/** The newest backup that was read again, if possible one that contains every file. */
function useNewest(): AnyRecord | undefined {
  const { data } = useRecords(backups, newestFirst, null);
  const all = data?.pages.flat() ?? [];
  const inState = (state: string) => all.find(({ backupState }) => backupState === state);
  return inState('complete') ?? inState('lossy');
}

function Warning({ text }: { readonly text: string }) {
  return (
    <p className="flex items-start gap-2 font-medium">
      <Icon of={TriangleAlert} className="mt-0.5 text-modified" />
      {text}
    </p>
  );
}

export function BackupNotes() {
  const { t, language } = useTexts();
  const schedule = useRecord(backupSchedule, zeroGuid);
  const newest = useNewest();
  const now = trueTime(schedule.dataUpdatedAt);
  const shown = (time: unknown): string => timeText(String(time), now, language);
  return (
    <Loaded
      query={schedule}
      waiting={
        <Panel>
          <Skeleton lines={3} />
        </Panel>
      }
    >
      {({ folder, hour, nextOn, keys, error }) => (
        <>
          <Panel>
            <div className="flex flex-col gap-2 text-md">
              {folder === null && (
                <Warning text={t('admin.backups.noFolder', { setting: 'RECODERY_BACKUP_DIR' })} />
              )}
              {folder !== null && typeof error === 'string' && <Warning text={error} />}
              {newest === undefined ? (
                <Warning text={t('admin.backups.noneVerified')} />
              ) : (
                <p>{t('admin.backups.lastVerified', { time: shown(newest['createdOn']) })}</p>
              )}
              <p>
                {typeof hour === 'string'
                  ? t('admin.backups.scheduled', { hour, time: shown(nextOn) })
                  : t('admin.backups.notScheduled')}{' '}
                <Link href="/admin/backupSchedule">{t('admin.backups.changeSchedule')}</Link>
              </p>
              <p>
                {t(
                  keys === 'included' ? 'admin.backups.withSecret' : 'admin.backups.withoutSecret',
                )}
              </p>
            </div>
          </Panel>
          {newest !== undefined && <RestoreSteps command={String(newest['restoreCommand'])} />}
        </>
      )}
    </Loaded>
  );
}
