/** What happened to a job's files: failures, sendings and downloads. */
import type { SealingState } from '@recodery/contract/features/recoding/file-sealing';
import type {
  FileDownload,
  JobFailure,
  Sending,
} from '@recodery/contract/features/jobs/job-history';
import {
  FileHistory,
  type FileHistoryProps,
} from '../../src/features/jobs/history/file-history.tsx';
import { DecodeFailure, FailedEncodes } from '../../src/features/jobs/history/job-failures.tsx';
import { decodeFailureOf } from '../../src/features/jobs/history/failed-decode.ts';
import { DownloadQuestion } from '../../src/features/sending/download-question.tsx';
import { SealAgain } from '../../src/features/sending/seal-again.tsx';
import { SealDialog } from '../../src/features/sending/seal-dialog.tsx';
import { SendDialog } from '../../src/features/sending/send-dialog.tsx';
import { SendFile } from '../../src/features/sending/send-file.tsx';
import Send from 'lucide-react/icons/send';
import { type Answer, guidOf } from '../made/answers.ts';
import { Part, report, State } from '../state.tsx';

const now = new Date();
const hoursAgo = (hours: number): string =>
  new Date(now.getTime() - hours * 3_600_000).toISOString();

const failure: JobFailure = {
  operationGUID: guidOf(30),
  isDecode: true,
  completedOn: hoursAgo(2),
  userDisplayName: 'Anna Conti',
  error: { errorName: 'KESS3_DECRYPT_ERROR', detail: null, cause: 'FILE_CORRUPTED' },
};
const encodeFailures: readonly JobFailure[] = [
  {
    ...failure,
    operationGUID: guidOf(31),
    isDecode: false,
    error: {
      errorName: 'KESS3_CHECKSUM_ERROR',
      detail: 'Flash',
      cause: 'CHECKSUM_UNCORRECTABLE',
    },
  },
  {
    ...failure,
    operationGUID: guidOf(32),
    isDecode: false,
    completedOn: hoursAgo(30),
    userDisplayName: null,
    error: { errorName: 'FROM_A_NEWER_SERVER', detail: null },
  },
];
const failed = decodeFailureOf({ decodeOperationGUID: null, failures: [failure] }) ?? failure;

const sending: Sending = {
  notificationGUID: guidOf(40),
  requestedOn: hoursAgo(3),
  userDisplayName: 'Anna Conti',
  email: 'officina@demo.test',
  organisationName: null,
  status: 'sent',
  failure: null,
  way: 'mail-server',
  sentOn: hoursAgo(3),
};
const download: FileDownload = {
  kind: 'user',
  name: 'Anna Conti',
  downloadedOn: hoursAgo(2),
};
const encodedFile = { role: 'encoded' } as const;
/** What a file's history shows, by state name. */
const histories: Readonly<Record<string, FileHistoryProps['file']>> = {
  nothing: encodedFile,
  outdated: { ...encodedFile, isOutdated: true },
  'under a former key': { ...encodedFile, hasFormerKey: true },
  'sealed for a while': { ...encodedFile, expiresOn: hoursAgo(-20) },
  'no longer accepted': { ...encodedFile, expiresOn: hoursAgo(1) },
  'no longer accepted, but sealed again': {
    ...encodedFile,
    expiresOn: hoursAgo(1),
    canSealAgain: true,
  },
  'sealed again': {
    ...encodedFile,
    expiresOn: hoursAgo(-20),
    sealedAgain: { fileGUID: guidOf(41), kind: 'user', name: 'Anna Conti' },
  },
  queued: {
    ...encodedFile,
    sendings: [{ ...sending, status: 'waiting', way: null, sentOn: null }],
  },
  'sent, downloaded by its sender only': {
    ...encodedFile,
    sendings: [sending],
    downloads: [download],
    downloadCount: 1,
  },
  'sent, more downloads than listed': {
    ...encodedFile,
    sendings: [sending],
    downloads: [download],
    downloadCount: 21,
  },
  'in the outbox': { ...encodedFile, sendings: [{ ...sending, way: 'outbox' }] },
  'failed in each way': {
    ...encodedFile,
    sendings: (['limit', 'refused', 'undeliverable'] as const).map((failure, at) => ({
      ...sending,
      notificationGUID: guidOf(50 + at),
      status: 'failed',
      failure,
    })),
  },
  withdrawn: { ...encodedFile, sendings: [{ ...sending, status: 'revoked' }] },
  'received in every way': {
    ...encodedFile,
    sendings: [
      sending,
      { ...sending, notificationGUID: guidOf(41), organisationName: 'Garage Rossi' },
    ],
    downloads: [
      { ...download, kind: 'link', name: 'officina@demo.test' },
      { ...download, kind: 'organisation', name: 'Garage Rossi' },
      { ...download, kind: 'program', name: 'Bench 2' },
      download,
      { ...download, name: null },
    ],
    downloadCount: 27,
  },
};

const proposed: Answer = {
  key: ['code', 'recipient', guidOf(1)],
  data: {
    slaveOrganizationName: 'Garage Rossi',
    slaveOrganizationEmailAddress: 'garage@rossi.test',
  },
};
const unowned: Answer = {
  ...proposed,
  data: { slaveOrganizationName: null, slaveOrganizationEmailAddress: null },
};
const toSend = {
  slotGUID: guidOf(1),
  fileGUID: guidOf(2),
  family: 'kess3',
  name: 'KESS3_KS3-000042_1001.moc',
  slave: 'KS3-000042',
} as const;
const empty = { email: null, message: '', isPrivate: null };

function Dialogs() {
  return (
    <>
      <Part file="features/sending/send-dialog.tsx">
        {(
          [
            ['proposed', proposed],
            ['no one to send to', unowned],
            ['being sent', proposed],
            ['no mail server', proposed],
          ] as const
        ).map(([name, answer]) => (
          <State key={name} name={name} window={620} given={[answer]}>
            <SendDialog
              title="Send"
              subject={{ label: 'Encoded', name: toSend.name, slave: toSend.slave }}
              family="kess3"
              slotGUID={toSend.slotGUID}
              form={empty}
              isPrivateByDefault
              sendsEmail={name !== 'no mail server'}
              emailHint="An address"
              needsNoRecipient={false}
              isPending={name === 'being sent'}
              confirm={() => ({ text: 'Send', icon: Send })}
              onChange={({ message }) => report(`message ${message}`)}
              onCancel={() => report('cancel')}
              onConfirm={({ email }) => report(`send ${email}`)}
            />
          </State>
        ))}
      </Part>
      <Part file="features/sending/send-file.tsx">
        <State name="before" window={620} given={[proposed]}>
          <SendFile file={toSend} isPrivateByDefault sendsEmail onClose={() => report('close')} />
        </State>
      </Part>
    </>
  );
}

export function HistoryParts() {
  return (
    <>
      <Failures />
      <Part file="features/jobs/history/file-history.tsx">
        {Object.entries(histories).map(([name, file]) => (
          <State key={name} name={name}>
            <FileHistory file={file} now={now} />
          </State>
        ))}
      </Part>
      <Dialogs />
      <Sealings />
    </>
  );
}

const sealing = {
  state: 'sealing',
  isWaiting: false,
  reason: null,
  detail: null,
  fileGUID: guidOf(40),
  sealedOn: hoursAgo(30),
  expiresOn: hoursAgo(6),
} as const satisfies SealingState;

const sealings: Readonly<Record<string, SealingState>> = {
  'in progress': sealing,
  'while the service does not respond': { ...sealing, isWaiting: true },
  refused: {
    ...sealing,
    state: 'failed',
    reason: 'ENGINE_REFUSED',
    detail: 'HTTP 400: The read is too old.',
  },
  'without a response': { ...sealing, state: 'failed', reason: 'ENGINE_UNAVAILABLE' },
  failed: { ...sealing, state: 'failed', reason: 'FAILED' },
};

function Sealings() {
  return (
    <>
      <Part file="features/sending/seal-dialog.tsx">
        {Object.entries(sealings).map(([name, state]) => (
          <State key={name} name={name} window={460}>
            <SealDialog
              state={state}
              thrown={null}
              onCancel={() => report('cancel')}
              onEarlier={() => report('earlier')}
              onRestart={() => report('again')}
            />
          </State>
        ))}
        <State name="not started" window={460}>
          <SealDialog
            state={undefined}
            thrown={new TypeError('Failed to fetch')}
            onCancel={() => undefined}
            onEarlier={() => undefined}
            onRestart={() => undefined}
          />
        </State>
      </Part>
      <Part file="features/sending/download-question.tsx">
        {[false, true].map((canSealAgain) => (
          <State
            key={`${canSealAgain}`}
            name={canSealAgain ? 'sealed again' : 'asked'}
            window={380}
          >
            <DownloadQuestion
              address={{ url: `/api/files/${guidOf(40)}`, isExpired: true, canSealAgain }}
              onCancel={() => report('cancel')}
              onDownload={() => report('download')}
            />
          </State>
        ))}
      </Part>
      <Part file="features/sending/seal-again.tsx">
        <State name="starting" window={360}>
          <SealAgain
            fileGUID={guidOf(40)}
            onCancel={() => report('cancel')}
            onDownload={() => report('download')}
            onEarlier={() => report('earlier')}
          />
        </State>
      </Part>
    </>
  );
}

function Failures() {
  return (
    <Part file="features/jobs/history/job-failures.tsx">
      <State name="decode">
        <DecodeFailure failure={failed} page="/kess3" />
      </State>
      <State name="decode, without access to the page">
        <DecodeFailure failure={failed} page={null} />
      </State>
      <State name="encodes">
        <FailedEncodes failures={encodeFailures} now={now} />
      </State>
    </Part>
  );
}
