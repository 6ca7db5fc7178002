/** Jobs: the finder, the list, one job, the restore kit, and the storage. */
import type { Job, JobSummary } from '@recodery/contract/features/jobs/jobs';
import { CompareChooser } from '../../src/features/jobs/history/compare-chooser.tsx';
import { DeleteJobDialog } from '../../src/features/jobs/delete-job-dialog.tsx';
import { FoundFiles } from '../../src/features/jobs/list/found-files.tsx';
import { JobFinder } from '../../src/features/jobs/list/job-finder.tsx';
import { JobList } from '../../src/features/jobs/list/job-list.tsx';
import { JobCustomer } from '../../src/features/jobs/facts/job-customer.tsx';
import { JobNote } from '../../src/features/jobs/facts/job-note.tsx';
import { JobRow } from '../../src/features/jobs/list/job-row.tsx';
import { JobTimeline } from '../../src/features/jobs/history/job-timeline.tsx';
import { JobVehicle } from '../../src/features/jobs/facts/job-vehicle.tsx';
import { KeepSelected } from '../../src/features/jobs/list/keep-selected.tsx';
import { RestoreKitPanel } from '../../src/features/jobs/history/restore-kit-panel.tsx';
import { ImportView } from '../../src/features/jobs/import-export/import-panel.tsx';
import { StoragePanel } from '../../src/features/jobs/storage/storage-panel.tsx';
import { CustomerOfJob } from '../../src/pages/jobs/customer-of-job.tsx';
import { JobPage } from '../../src/pages/jobs/job-page.tsx';
import { JobsPage } from '../../src/pages/jobs/jobs-page.tsx';
import { OtherJobs } from '../../src/pages/jobs/other-jobs.tsx';
import { StoragePage } from '../../src/pages/settings/settings-storage-page.tsx';
import { type Answer, broken, guidOf } from '../made/answers.ts';
import { imported, imports } from '../made/job-imports.ts';
import {
  comparable,
  compacted,
  found,
  hoursAgo,
  job,
  now,
  plain,
  readings,
  sha256,
  storage,
  summary,
  withOriginal,
  withRepair,
} from '../made/jobs.ts';
import { Part, report, State } from '../state.tsx';

const list = (query: object, answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'jobs', 'list', query],
  ...answer,
});
const jobs = (...all: readonly JobSummary[]) => ({ data: { pages: [all], pageParams: [null] } });
/** A whole page, so that there may be more. */
const thirty = Array.from({ length: 30 }, (_, at) => ({ ...summary, slotGUID: guidOf(300 + at) }));
const manyFound = { jobs: 1000, hasMore: true };
const filters: Answer = {
  key: ['code', 'jobs', 'filters'],
  data: { devices: ['KS3-000042'], people: [{ guid: guidOf(3), displayName: 'Anna Conti' }] },
};
const compared = { fileGUID: guidOf(101), name: 'KESS3_KS3-000042_1001.fls', component: 'flash' };
const comparableKey = ['code', 'jobs', 'comparable', compared.fileGUID, ''];
const hashes = `${sha256},${'0'.repeat(64)}`;
const hash = (answer: Omit<Answer, 'key'>, of = sha256): Answer => ({
  key: ['code', 'jobs', 'hash', of],
  ...answer,
});
const one = (answer: Omit<Answer, 'key'>): Answer => ({
  key: ['code', 'jobs', 'one', ''],
  ...answer,
});
const settings = (answer: Omit<Answer, 'key'>): Answer => ({ key: ['code', 'storage'], ...answer });
const nothing = {
  ...{ search: '', family: '', device: '', person: '', from: '', to: '' },
  kept: false,
  expiring: false,
};
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const close = (): void => report('close');

function Rows() {
  return (
    <>
      <Part file="features/jobs/list/job-row.tsx">
        {Object.entries({
          'all is known': summary,
          'not decoded': plain,
          'of the utility': compacted,
          'deleted soon': { ...summary, isKept: false, expiresOn: hoursAgo(-50) },
        }).map(([name, line]) => (
          <State key={name} name={name}>
            <ul>
              <JobRow job={line} now={now} />
            </ul>
          </State>
        ))}
        <State name="being selected">
          <ul>
            <JobRow
              job={summary}
              now={now}
              selection={{ isSelected: true, onChange: (to) => report(String(to)) }}
            />
          </ul>
        </State>
      </Part>
      <Part file="features/jobs/list/keep-selected.tsx">
        {[[], ['a', 'gone']].map((selected) => (
          <State key={selected.length} name={selected.length === 0 ? 'none' : 'one of two'}>
            <KeepSelected
              shown={['a', 'b']}
              selected={new Set(selected)}
              onChange={(next) => report(next === null ? 'ended' : [...next].join())}
            />
          </State>
        ))}
      </Part>
    </>
  );
}

function Lists() {
  return (
    <>
      <Part file="features/jobs/list/job-finder.tsx">
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
      <Rows />
      <Part file="features/jobs/list/job-list.tsx">
        <State name="filled" given={[list({}, jobs(summary, plain))]}>
          <JobList query={{}} />
        </State>
        <State name="empty" given={[list({}, jobs())]}>
          <JobList query={{}} />
        </State>
        <State
          name="found, with more"
          given={[
            list({ search: 'golf' }, jobs(...thirty)),
            { key: ['code', 'jobs', 'count', { search: 'golf' }], data: manyFound },
          ]}
        >
          <JobList query={{ search: 'golf' }} />
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
    </>
  );
}

function Found() {
  return (
    <Part file="features/jobs/list/found-files.tsx">
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
      <State name="of an archive" given={[hash({ data: [...found, ...found] }, hashes)]}>
        <FoundFiles sha256={hashes} name="components.zip" onClose={close} />
      </State>
    </Part>
  );
}

const kits: readonly Job['restoreKit'][] = [
  job.restoreKit,
  { ...job.restoreKit, state: 'outdated' },
  { state: 'missing', reason: null, fileGUID: null, fileName: null },
  { state: 'preparing', reason: null, fileGUID: null, fileName: null },
  { state: 'missing', reason: 'FAILED', fileGUID: null, fileName: null },
  { state: 'impossible', reason: 'NOT_READ', fileGUID: null, fileName: null },
  { state: 'impossible', reason: 'FORMER_KEY', fileGUID: null, fileName: null },
];

function Chooser() {
  return (
    <Part file="features/jobs/history/compare-chooser.tsx">
      {Object.entries({ filled: comparable, empty: [] }).map(([name, images]) => (
        <State
          key={name}
          name={name}
          window={620}
          given={[
            { key: comparableKey, data: { pages: [{ images, next: null }], pageParams: [null] } },
          ]}
        >
          <CompareChooser
            image={{ ...compared, createdOn: summary.createdOn }}
            nameOf={capitalized}
            onChoose={({ name: chosen }) => report(chosen)}
            onClose={close}
          />
        </State>
      ))}
    </Part>
  );
}

function Entries() {
  return (
    <>
      <Part file="features/jobs/facts/job-customer.tsx">
        <State name="filled">
          <JobCustomer job={job} />
        </State>
        <State name="empty">
          <JobCustomer job={{ ...job, ...plain, slotGUID: job.slotGUID }} />
        </State>
      </Part>
      <Part file="features/jobs/facts/job-note.tsx">
        <State name="filled">
          <JobNote job={job} now={now} />
        </State>
        <State name="empty">
          <JobNote job={{ ...job, note: null, notedBy: null, notedOn: null }} now={now} />
        </State>
      </Part>
    </>
  );
}

function OneJob() {
  return (
    <>
      <Part file="features/jobs/facts/job-vehicle.tsx">
        <State name="kept">
          <JobVehicle job={job} now={now} onDeleted={close} />
        </State>
        <State name="imported">
          <JobVehicle job={{ ...job, imported }} now={now} onDeleted={close} />
        </State>
        <State name="expires">
          <JobVehicle
            job={{ ...job, isKept: false, expiresOn: hoursAgo(-500), information: {} }}
            now={now}
            onDeleted={close}
          />
        </State>
      </Part>
      <Part file="features/jobs/history/job-timeline.tsx">
        <State name="to compare">
          <JobTimeline
            job={job}
            now={now}
            nameOf={capitalized}
            receipts={new Map(job.files.map(({ fileGUID }) => [fileGUID, '0123-4567-89AB-CDEF']))}
            onEncode={() => report('encode')}
            onCompare={(before, after) => report(`${before.name} ${after?.name}`)}
            onSend={({ name }) => report(`send ${name}`)}
          />
        </State>
        <State name="with a repair">
          <JobTimeline job={withRepair} now={now} nameOf={capitalized} receipts={new Map()} />
        </State>
        <State name="the page may not be entered">
          <JobTimeline job={job} now={now} nameOf={capitalized} receipts={new Map()} />
        </State>
      </Part>
      <Part file="features/jobs/history/restore-kit-panel.tsx">
        {kits.map((restoreKit) => (
          <State
            key={`${restoreKit.state} ${restoreKit.reason}`}
            name={restoreKit.reason ?? restoreKit.state}
          >
            <RestoreKitPanel job={{ ...job, restoreKit }} />
          </State>
        ))}
      </Part>
      <Part file="features/jobs/delete-job-dialog.tsx">
        <State name="before" window={420}>
          <DeleteJobDialog job={job} onDeleted={close} onClose={close} />
        </State>
        <State name="with an original" window={420}>
          <DeleteJobDialog job={withOriginal} onDeleted={close} onClose={close} />
        </State>
      </Part>
    </>
  );
}

function Storage() {
  return (
    <>
      <Part file="features/jobs/storage/storage-panel.tsx">
        <State name="nearly full">
          <StoragePanel settings={storage} canManage />
        </State>
        <State name="of a user who is no manager">
          <StoragePanel settings={storage} canManage={false} />
        </State>
      </Part>
      <Part file="features/jobs/import-export/import-panel.tsx">
        {imports.map(([name, state]) => (
          <State key={name} name={name}>
            <ImportView state={state} onFile={({ name: file }) => report(`import ${file}`)} />
          </State>
        ))}
      </Part>
    </>
  );
}

function Pages() {
  return (
    <>
      <Part file="pages/jobs/jobs-page.tsx">
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
      <Part file="pages/jobs/customer-of-job.tsx">
        <State name="closed" given={[one({ data: job })]}>
          <CustomerOfJob slotGUID="" />
        </State>
      </Part>
      <Part file="pages/jobs/other-jobs.tsx">
        <State name="two">
          <OtherJobs jobs={[summary, plain]} now={now} />
        </State>
      </Part>
      <Part file="pages/jobs/job-page.tsx">
        {Object.entries(readings).map(([name, answer]) => (
          <State key={name} name={name} window={900} isInLayout at="/jobs" given={[one(answer)]}>
            <JobPage />
          </State>
        ))}
      </Part>
      <Part file="pages/settings/settings-storage-page.tsx">
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
      <Found />
      <OneJob />
      <Chooser />
      <Entries />
      <Storage />
      <Pages />
    </>
  );
}
