/** What operators see of the whole installation: its numbers, its health, and the preview of messages. */
import type { Health, Overview } from '@recodery/contract/admin/overview';
import { HoursChart } from '../../../src/features/admin/overview/hours-chart.tsx';
import { Changelog } from '../../../src/features/admin/overview/changelog.tsx';
import { Updates } from '../../../src/features/admin/overview/updates.tsx';
import { Installation } from '../../../src/features/admin/overview/installation.tsx';
import { AdminRecordPage } from '../../../src/pages/admin/admin-record-page.tsx';
import { MessagesPreview } from '../../../src/pages/admin/messages-preview.tsx';
import { now, operator, record } from '../../made/admin-records.ts';
import { type Answer, broken, guidOf } from '../../made/answers.ts';
import { Part, State } from '../../state.tsx';

const hour = 3_600_000;
const hours: Overview['operations']['hours'] = Array.from({ length: 24 }, (_, at) => ({
  from: new Date(now.getTime() - (23 - at) * hour).toISOString(),
  succeeded: (at * 37) % 23,
  failed: at % 7 === 3 ? 2 : 0,
}));

const quiet: Overview = {
  version: '0.13.0 (51beccda)',
  portals: 1,
  updates: null,
  workers: 2,
  isMaintenance: false,
  operations: {
    waiting: 0,
    running: 0,
    hours: hours.map(({ from }) => ({ from, succeeded: 0, failed: 0 })),
  },
  email: { hasServer: true, waiting: 0, failed: 0, lastError: null },
  storage: { bytes: 0, damaged: 0, disks: [{ free: 90 * 1024 ** 3, total: 100 * 1024 ** 3 }] },
};
const busy: Overview = {
  ...quiet,
  updates: { askedOn: now.toISOString(), newer: '0.14.0', error: null },
  workers: 0,
  isMaintenance: true,
  operations: { waiting: 12, running: 3, hours },
  email: {
    hasServer: false,
    waiting: 2,
    failed: 7,
    lastError: '550 5.7.1 <garage@rossi.test>: Recipient address rejected: access denied',
  },
  storage: {
    bytes: 731 * 1024 ** 3,
    damaged: 1,
    disks: [
      { free: 3 * 1024 ** 3, total: 100 * 1024 ** 3 },
      { free: 512 * 1024 ** 3, total: 2048 * 1024 ** 3 },
    ],
  },
};
const healthy: Health = {
  checkedOn: now.toISOString(),
  findings: [
    { what: 'configuration', state: 'ok', text: 'Recodery 0.13.0, https://portal.example.org' },
    { what: 'backup', state: 'warning', text: 'The last backup is 9 days old.' },
    {
      what: 'engine acme',
      state: 'wrong',
      text: 'https://api.vendor.example does not respond (connect ECONNREFUSED). Check the address.',
    },
    { what: 'disk', state: 'ok', text: '90 GiB of 100 GiB free.' },
  ],
};

const numbers = (answer: Omit<Answer, 'key'>): Answer => ({ key: ['code', 'overview'], ...answer });
const checks = (answer: Omit<Answer, 'key'>): Answer => ({ key: ['code', 'health'], ...answer });
/** A healthy installation. */
export const installation = [numbers({ data: quiet }), checks({ data: healthy })];

const shown = (all: readonly object[]): Answer => ({
  key: ['messages', 'en-US'],
  data: { all, unseen: [] },
});

function Numbers() {
  return (
    <>
      <Part file="features/admin/overview/hours-chart.tsx">
        <State name="a day">
          <HoursChart hours={hours} />
        </State>
      </Part>
      <Part file="features/admin/overview/updates.tsx">
        <State name="no newer version">
          <Updates updates={{ askedOn: now.toISOString(), newer: null, error: null }} now={now} />
        </State>
        <State name="failed">
          <Updates
            updates={{ askedOn: now.toISOString(), newer: null, error: 'getaddrinfo ENOTFOUND' }}
            now={now}
          />
        </State>
        <State name="not asked yet">
          <Updates updates={{ askedOn: null, newer: null, error: null }} now={now} />
        </State>
      </Part>
      <Part file="features/admin/overview/changelog.tsx">
        <State
          name="of two versions"
          given={[{ key: ['code', 'changelog'], data: { text: '# Changelog\n\n## [0.13.0]' } }]}
        >
          <Changelog onClose={() => undefined} />
        </State>
      </Part>
      <Part file="features/admin/overview/installation.tsx">
        <State name="quiet" given={installation}>
          <Installation />
        </State>
        <State name="busy" given={[numbers({ data: busy }), checks({ data: healthy })]}>
          <Installation />
        </State>
        <State name="loading" given={[numbers({}), checks({})]}>
          <Installation />
        </State>
        <State
          name="network error"
          given={[numbers({ thrown: broken }), checks({ thrown: broken })]}
        >
          <Installation />
        </State>
      </Part>
    </>
  );
}

function Notices() {
  const frame = { window: 800, isInLayout: true, path: '/admin/*', at: '/admin' } as const;
  return (
    <>
      <Part file="pages/admin/messages-preview.tsx">
        <State
          name="one message"
          given={[shown([{ guid: guidOf(970), text: 'The portal moves on Sunday from 18:00.' }])]}
        >
          <MessagesPreview />
        </State>
        <State name="no message" given={[shown([])]}>
          <MessagesPreview />
        </State>
      </Part>
      <Part file="pages/admin/admin-record-page.tsx">
        <State
          {...frame}
          name="planned maintenance"
          given={[
            operator,
            record('maintenance', guidOf(971), {
              data: {
                guid: guidOf(971),
                revision: 'r1',
                state: 'planned',
                isOn: false,
                plannedFrom: '2030-01-02T18:00:00.000Z',
                plannedTo: '2030-01-02T20:00:00.000Z',
              },
            }),
          ]}
        >
          <AdminRecordPage name="maintenance" guid={guidOf(971)} />
        </State>
        <State {...frame} name="new message" given={[operator]}>
          <AdminRecordPage name="messages" guid="new" />
        </State>
      </Part>
    </>
  );
}

export function OverviewParts() {
  return (
    <>
      <Numbers />
      <Notices />
    </>
  );
}
