/** Jobs: the finder, the list, one job, the restore kit, and the storage. */
import type {
  FoundFile,
  Job,
  JobFile,
  JobSummary,
  StorageSettings,
} from '@recodery/contract/features/jobs';
import { Refusal } from '@recodery/contract/refusal';
import { DeleteJobDialog } from '../src/features/jobs/delete-job-dialog.tsx';
import { FoundFiles } from '../src/features/jobs/found-files.tsx';
import { JobFinder } from '../src/features/jobs/job-finder.tsx';
import { JobList } from '../src/features/jobs/job-list.tsx';
import { JobNote } from '../src/features/jobs/job-note.tsx';
import { JobRow } from '../src/features/jobs/job-row.tsx';
import { JobTimeline } from '../src/features/jobs/job-timeline.tsx';
import { JobVehicle } from '../src/features/jobs/job-vehicle.tsx';
import { RestoreKitPanel } from '../src/features/jobs/restore-kit-panel.tsx';
import { StoragePanel } from '../src/features/jobs/storage-panel.tsx';
import { JobPage } from '../src/pages/job-page.tsx';
import { JobsPage } from '../src/pages/jobs-page.tsx';
import { StoragePage } from '../src/pages/settings-storage-page.tsx';
import { type Answer, broken, guidOf } from './answers.ts';
import { Part, report, State } from './state.tsx';

const now = new Date();
const hoursAgo = (hours: number): string =>
  new Date(now.getTime() - hours * 3_600_000).toISOString();
const sha256 = '3f107185fe5b8d182959f174ab20e941ec57930d58a1dc4a7a9ff4d9fe8afcbf';

const summary: JobSummary = {
  slotGUID: guidOf(1),
  family: 'kess3',
  workflow: 'kess3',
  fileName: 'golf_stage_0.kess3',
  createdOn: hoursAgo(30),
  slaveSerialNumber: 'KS3-000042',
  vin: 'WVWZZZ1KZAW000123',
  protocolID: 1001,
  protocolName: 'REF-OBD-512K',
  engine: '2.0 TDI CR',
  hardware: '03L907309AE',
  software: '03L906018AB',
  userDisplayName: 'Anna Conti',
  isKept: true,
  note: 'Customer wants more torque below 2000 rpm. Call before the DPF is touched.',
  encodedFiles: 2,
};
const plain: JobSummary = {
  ...summary,
  slotGUID: guidOf(2),
  fileName: `a_read_file_with_${'a_very_long_name_'.repeat(5)}.bin`,
  vin: null,
  protocolID: null,
  protocolName: null,
  engine: null,
  userDisplayName: null,
  isKept: false,
  note: null,
  encodedFiles: 0,
};
const file = (number: number, parts: Partial<JobFile>): JobFile => ({
  fileGUID: guidOf(100 + number),
  role: 'read',
  component: null,
  part: null,
  name: 'golf_stage_0.kess3',
  size: 524_288,
  sha256,
  createdOn: hoursAgo(30 - number),
  userDisplayName: 'Anna Conti',
  isThere: true,
  firstDownloadedOn: null,
  madeFrom: [],
  sentTo: null,
  sentOn: null,
  ...parts,
});
const modified = { role: 'modified', component: 'flash', part: 'Flash' } as const;
const job: Job = {
  ...summary,
  mode: 'bootbench',
  groupCode: 'G-10',
  information: {
    vin: summary.vin,
    engine: summary.engine,
    hardware: summary.hardware,
    software: summary.software,
    softwareDate: '20150312',
    spare: null,
  },
  decodeOperationGUID: guidOf(9),
  isDecoding: false,
  notedBy: 'Anna Conti',
  notedOn: hoursAgo(20),
  expiresOn: null,
  files: [
    file(0, {}),
    file(1, { role: 'decoded', component: 'flash', name: 'KESS3_KS3-000042_1001.fls' }),
    file(1, { fileGUID: guidOf(150), role: 'id', name: 'KESS3_KS3-000042_1001.id', size: 476 }),
    file(2, { ...modified, name: 'stage1.fls', isThere: false }),
    file(3, { ...modified, name: 'stage2.fls' }),
    file(4, {
      role: 'encoded',
      name: 'KESS3_KS3-000042_1001.moc',
      madeFrom: [guidOf(103)],
      sentTo: 'officina@demo.test',
      sentOn: hoursAgo(25),
      firstDownloadedOn: hoursAgo(20),
    }),
    file(5, { role: 'encoded', name: 'waiting.moc', sentTo: 'officina@demo.test' }),
  ],
  restoreKit: { state: 'ready', reason: null, fileGUID: guidOf(7), fileName: 'x_as-read.moc' },
  otherJobs: [plain],
};
const undecoded: Job = {
  ...job,
  decodeOperationGUID: null,
  files: job.files.slice(0, 1),
  restoreKit: { state: 'impossible', reason: 'NOT_DECODED', fileGUID: null, fileName: null },
};
/** The data that the page of a job loads, by state name. */
const readings = {
  filled: { data: job },
  'being decoded': { data: { ...undecoded, isDecoding: true } },
  'not decoded': { data: undecoded },
  loading: {},
  deleted: { thrown: new Refusal('NOT_FOUND') },
};
const found: readonly FoundFile[] = (
  ['encoded', 'decoded', 'restore', 'modified', 'original', 'read', 'id'] as const
).map((role, at) => ({
  fileGUID: guidOf(200 + at),
  role,
  name: 'file.bin',
  createdOn: hoursAgo(at),
  userDisplayName: 'Anna Conti',
  isThere: at % 2 === 0,
  slotGUID: at === 3 ? null : guidOf(1),
  family: 'kess3',
  workflow: 'kess3',
  fileName: at === 3 ? '…' : summary.fileName,
  slaveSerialNumber: 'KS3-000042',
}));
const storage: StorageSettings = {
  usedBytes: 19.5 * 2 ** 30,
  organisationBytes: 20 * 2 ** 30,
  retentionDays: 365,
  defaultDays: 30,
  leastDays: 10,
  mostDays: 3650,
  jobs: 12_345,
  keptJobs: 12,
};

const list = (query: object, answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'jobs', 'list', query],
  ...answer,
});
const jobs = (...all: readonly JobSummary[]) => ({ data: { pages: [all], pageParams: [null] } });
const filters: Answer = {
  key: ['code', 'jobs', 'filters'],
  data: { devices: ['KS3-000042'], people: [{ guid: guidOf(3), displayName: 'Anna Conti' }] },
};
const hash = (answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'jobs', 'hash', sha256],
  ...answer,
});
const one = (answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'jobs', 'one', ''],
  ...answer,
});
const settings = (answer: Omit<Answer, 'key'>): Answer => ({ key: ['code', 'storage'], ...answer });
const nothing = { search: '', family: '', device: '', person: '', from: '', to: '', kept: false };
const close = (): void => report('close');

function Lists() {
  return (
    <>
      <Part file="features/jobs/job-finder.tsx">
        {[nothing, { ...nothing, search: 'golf', family: 'kess3', kept: true }].map((search) => (
          <State key={search.search} name={search.search === '' ? 'empty' : 'filtered'}>
            <JobFinder
              search={search}
              filters={{ devices: ['KS3-000042'], people: [] }}
              onChange={(next) => report(`${next.search}|${next.family}|${next.kept}`)}
              onFile={({ name }) => report(name)}
            />
          </State>
        ))}
      </Part>
      <Part file="features/jobs/job-row.tsx">
        {[summary, plain].map((line) => (
          <State key={line.slotGUID} name={line.isKept ? 'all is known' : 'not decoded'}>
            <ul>
              <JobRow job={line} now={now} />
            </ul>
          </State>
        ))}
      </Part>
      <Part file="features/jobs/job-list.tsx">
        <State name="filled" given={[list({}, jobs(summary, plain))]}>
          <JobList query={{}} />
        </State>
        <State name="empty" given={[list({}, jobs())]}>
          <JobList query={{}} />
        </State>
        <State name="none found" given={[list({ search: 'x' }, jobs())]}>
          <JobList query={{ search: 'x' }} />
        </State>
        <State name="loading" given={[list({}, {})]}>
          <JobList query={{}} />
        </State>
        <State name="error" given={[list({}, { thrown: broken })]}>
          <JobList query={{}} />
        </State>
      </Part>
      <Part file="features/jobs/found-files.tsx">
        {(['filled', 'empty', 'error'] as const).map((name) => (
          <State
            key={name}
            name={name}
            given={[
              hash(name === 'error' ? { thrown: broken } : { data: name === 'empty' ? [] : found }),
            ]}
          >
            <FoundFiles sha256={sha256} name="unknown_0416.bin" onClose={close} />
          </State>
        ))}
      </Part>
    </>
  );
}

const kits: readonly Job['restoreKit'][] = [
  job.restoreKit,
  { ...job.restoreKit, state: 'outdated' },
  { state: 'missing', reason: null, fileGUID: null, fileName: null },
  { state: 'preparing', reason: null, fileGUID: null, fileName: null },
  { state: 'missing', reason: 'FAILED', fileGUID: null, fileName: null },
  { state: 'impossible', reason: 'NOT_READ', fileGUID: null, fileName: null },
];

function OneJob() {
  return (
    <>
      <Part file="features/jobs/job-vehicle.tsx">
        <State name="kept">
          <JobVehicle job={job} now={now} onDeleted={close} />
        </State>
        <State name="expires">
          <JobVehicle
            job={{ ...job, isKept: false, expiresOn: hoursAgo(-500), information: {} }}
            now={now}
            onDeleted={close}
          />
        </State>
      </Part>
      <Part file="features/jobs/job-timeline.tsx">
        <State name="to compare">
          <JobTimeline
            job={job}
            now={now}
            receipts={new Map(job.files.map(({ fileGUID }) => [fileGUID, '0123-4567-89AB-CDEF']))}
            onEncode={() => report('encode')}
            onCompare={(before, after) => report(`${before.name} ${after.name}`)}
          />
        </State>
        <State name="the page may not be entered">
          <JobTimeline job={job} now={now} receipts={new Map()} />
        </State>
      </Part>
      <Part file="features/jobs/restore-kit-panel.tsx">
        {kits.map((restoreKit) => (
          <State
            key={`${restoreKit.state} ${restoreKit.reason}`}
            name={restoreKit.reason ?? restoreKit.state}
          >
            <RestoreKitPanel job={{ ...job, restoreKit }} />
          </State>
        ))}
      </Part>
      <Part file="features/jobs/job-note.tsx">
        <State name="filled">
          <JobNote job={job} now={now} />
        </State>
        <State name="empty">
          <JobNote job={{ ...job, note: null, notedBy: null, notedOn: null }} now={now} />
        </State>
      </Part>
      <Part file="features/jobs/delete-job-dialog.tsx">
        <State name="before" window={420}>
          <DeleteJobDialog job={job} onDeleted={close} onClose={close} />
        </State>
      </Part>
    </>
  );
}

function Storage() {
  return (
    <>
      <Part file="features/jobs/storage-panel.tsx">
        <State name="nearly full">
          <StoragePanel settings={storage} />
        </State>
      </Part>
    </>
  );
}

function Pages() {
  return (
    <>
      <Part file="pages/jobs-page.tsx">
        <State
          name="filled"
          window={900}
          isInLayout
          at="/jobs"
          given={[filters, list({}, jobs(summary, plain))]}
        >
          <JobsPage />
        </State>
        <State
          name="found by a file"
          window={900}
          isInLayout
          at={`/jobs?sha256=${sha256}&file=unknown.bin`}
          given={[filters, hash({ data: found })]}
        >
          <JobsPage />
        </State>
      </Part>
      <Part file="pages/job-page.tsx">
        {Object.entries(readings).map(([name, answer]) => (
          <State key={name} name={name} window={900} isInLayout at="/jobs" given={[one(answer)]}>
            <JobPage />
          </State>
        ))}
      </Part>
      <Part file="pages/settings-storage-page.tsx">
        <State
          name="filled"
          window={860}
          isInLayout
          at="/settings/storage"
          given={[settings({ data: storage })]}
        >
          <StoragePage />
        </State>
        <State name="loading" window={560} isInLayout at="/settings/storage" given={[settings({})]}>
          <StoragePage />
        </State>
      </Part>
    </>
  );
}

export function JobParts() {
  return (
    <>
      <Lists />
      <OneJob />
      <Storage />
      <Pages />
    </>
  );
}
