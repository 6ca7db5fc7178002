/** The backups: their list with its notes, one of them, and the schedule. */
import { zeroGuid } from '@recodery/contract/api';
import { BackupNotes } from '../../../src/features/admin/backups/backup-notes.tsx';
import { RestoreSteps } from '../../../src/features/admin/backups/restore-steps.tsx';
import { DownloadRecord } from '../../../src/features/admin/actions/download-record.tsx';
import { declaredResource } from '../../../src/features/admin/resource-pages.ts';
import type { AnyRecord } from '../../../src/features/admin/records/records.ts';
import { AdminListPage } from '../../../src/pages/admin/admin-list-page.tsx';
import { AdminRecordPage } from '../../../src/pages/admin/admin-record-page.tsx';
import { list, now, operator, pagesOf, record } from '../../made/admin-records.ts';
import { type Answer, broken, guidOf } from '../../made/answers.ts';
import { Part, State } from '../../state.tsx';

const ago = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString();
const command =
  'npx --no-install recodery restore /mnt/backups/recodery-2026-11-27T030000Z.tar --replace';

const complete: AnyRecord = {
  guid: guidOf(991),
  revision: 'r1',
  fileName: 'recodery-2026-11-27T030000Z.tar',
  backupState: 'complete',
  createdOn: ago(9),
  sizeBytes: 48.3 * 1024 ** 3,
  origin: 'schedule',
  who: null,
  copiedPercent: null,
  verifiedOn: ago(8),
  missing: 0,
  damaged: 2,
  keys: 'included',
  leaving: false,
  error: null,
  restoreCommand: command,
};
const backups: readonly AnyRecord[] = [
  {
    ...complete,
    guid: guidOf(992),
    fileName: 'recodery-2026-11-28T001500Z.tar',
    backupState: 'running',
    createdOn: ago(0.1),
    sizeBytes: null,
    origin: 'page',
    who: 'olga@demo.test',
    copiedPercent: 62,
  },
  complete,
  {
    ...complete,
    guid: guidOf(993),
    fileName: 'recodery-2026-11-26T030000Z.tar',
    backupState: 'failed',
    sizeBytes: null,
    createdOn: ago(33),
    error: 'There is not enough disk space for /mnt/backups/recodery-2026-11-26T030000Z.tar.part.',
  },
  {
    ...complete,
    guid: guidOf(996),
    fileName: 'recodery-2026-11-25T030000Z.tar',
    backupState: 'lossy',
    createdOn: ago(57),
    missing: 1,
    damaged: 2,
  },
  {
    ...complete,
    guid: guidOf(994),
    fileName: 'before-the-upgrade.tar',
    backupState: 'unverified',
    origin: 'other',
    createdOn: ago(80),
  },
  {
    ...complete,
    guid: guidOf(995),
    fileName: 'recodery-2026-11-20T030000Z.tar',
    createdOn: ago(177),
    leaving: true,
  },
];

const schedule: AnyRecord = {
  guid: zeroGuid,
  revision: 'r1',
  hour: '03:00',
  kept: 30,
  nextOn: ago(-15),
  folder: '/mnt/backups',
  error: null,
  keys: 'included',
};
const scheduled = (data: AnyRecord): Answer => record('backupSchedule', zeroGuid, { data });
const noFolder = { ...schedule, hour: null, kept: null, nextOn: null, folder: null };
const listed = (items: readonly AnyRecord[]) => list('backups', '-createdOn', pagesOf(items));

function Pages() {
  const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;
  return (
    <>
      <Part file="pages/admin/admin-list-page.tsx">
        <State {...frame} name="backups" given={[operator, listed(backups), scheduled(schedule)]}>
          <AdminListPage name="backups" />
        </State>
      </Part>
      <Part file="pages/admin/admin-record-page.tsx">
        <State
          {...frame}
          name="backup"
          given={[operator, record('backups', complete.guid, { data: complete })]}
        >
          <AdminRecordPage name="backups" guid={complete.guid} />
        </State>
        <State {...frame} name="backup schedule" given={[operator, scheduled(schedule)]}>
          <AdminRecordPage name="backupSchedule" guid={zeroGuid} />
        </State>
      </Part>
    </>
  );
}

export function BackupParts() {
  return (
    <>
      <Part file="features/admin/backups/backup-notes.tsx">
        <State name="a verified one, with schedule" given={[listed(backups), scheduled(schedule)]}>
          <BackupNotes />
        </State>
        <State
          name="no folder"
          given={[listed([]), scheduled({ ...noFolder, keys: 'not-included' })]}
        >
          <BackupNotes />
        </State>
        <State
          name="folder missing"
          given={[
            listed([]),
            scheduled({ ...schedule, error: 'The backup folder /mnt/backups does not exist.' }),
          ]}
        >
          <BackupNotes />
        </State>
        <State name="loading" given={[listed([]), record('backupSchedule', zeroGuid, {})]}>
          <BackupNotes />
        </State>
        <State
          name="network error"
          given={[listed([]), record('backupSchedule', zeroGuid, { thrown: broken })]}
        >
          <BackupNotes />
        </State>
      </Part>
      <Part file="features/admin/backups/restore-steps.tsx">
        <State name="a long command">
          <RestoreSteps {...{ command }} />
        </State>
      </Part>
      <Part file="features/admin/actions/download-record.tsx">
        <State name="a backup">
          <DownloadRecord resource={declaredResource('backups')} guid={complete.guid} />
        </State>
      </Part>
      <Pages />
    </>
  );
}
