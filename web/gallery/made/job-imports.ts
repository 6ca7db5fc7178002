/** The states of an import of jobs, and where an imported job comes from. */
import { Refusal } from '@recodery/contract/refusal';
import type { ImportRefusal } from '@recodery/contract/features/jobs/jobs-import';
import type { ImportState } from '../../src/features/jobs/import-export/import-run.ts';
import { NotAnExport } from '../../src/features/jobs/import-export/not-an-export.ts';
import { hoursAgo } from './jobs.ts';
import { report } from '../state.tsx';

export const imported = {
  importedOn: hoursAgo(3),
  customerCode: 'CC-1001',
  exportedOn: hoursAgo(100),
};

const refusedJob = (reason: ImportRefusal, detail: string | null = null) => ({
  name: `golf_${reason.toLowerCase()}_with_a_long_name_of_its_read_file.kess3`,
  reason,
  detail,
  thrown: null,
});
const counts = {
  total: 1204,
  imported: 311,
  there: 12,
  refused: [
    refusedJob('INVALID'),
    refusedJob('NO_READ'),
    refusedJob('CHANGED', 'KESS3_KS3-000042_1001.moc'),
    refusedJob('MASTER', 'KM3-000009'),
    refusedJob('SLAVE', 'KS3-000042'),
    refusedJob('REVOKED_KEY', 'KS3-000042'),
    refusedJob('KEY', 'KS3-000042'),
    refusedJob('NOT_A_READ'),
    refusedJob('CHECKSUMS'),
    { name: null, reason: null, detail: null, thrown: new Refusal('FILE_TOO_LARGE') },
  ],
};
const ended = { at: 'ended', counts, isComplete: true, fault: null } as const;
export const imports: readonly (readonly [name: string, state: ImportState])[] = [
  ['before', { at: 'idle' }],
  ['reading', { at: 'running', counts: null, cancel: () => report('cancel') }],
  ['running', { at: 'running', counts, cancel: () => report('cancel') }],
  ['finished', ended],
  ['canceled', { ...ended, isComplete: false }],
  ['stopped', { ...ended, isComplete: false, fault: new Refusal('STORAGE_QUOTA_REACHED') }],
  ['not an export', { ...ended, counts: null, isComplete: false, fault: new NotAnExport() }],
];
