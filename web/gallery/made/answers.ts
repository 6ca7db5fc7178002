/** Fixed responses of the server: the workshop, its rights, its notifications and operations. */
import { type Operation, operation } from '@recodery/contract/features/operations';
import {
  byWorkflow,
  describeMasters,
  describeNameFormats,
  describeOperationType,
} from '@recodery/contract/families/registry';
import { cursorBehind, type Notification } from '@recodery/contract/features/notifications';
import type { OperationSummary } from '@recodery/contract/features/operations';
import type { Preferences } from '@recodery/contract/features/preferences';
import type { PageConfig } from '@recodery/contract/features/service-status';
import type { Session } from '@recodery/contract/features/session';
import type { QueryKey } from '@tanstack/react-query';
import type { Entry } from '../../src/features/recoding/decoded-read.ts';
import type { Entrance } from '../../src/features/recoding/flow/entrance.ts';
import { languages } from '../../src/i18n/languages.ts';

const longName =
  'Officina Meccanica di Precisione Fratelli Bartolomeo e Figli, sede secondaria di Castelnuovo';

export const session: Session = {
  sessionID: '',
  customerCode: 'CC-1001',
  userDisplayName: 'Anna Conti',
  userOrganizationName: 'Officina Demo',
  userOrganizationLogoURL: null,
  otherCustomerCodes: ['CC-2002', 'CC-3003'],
  customerCodeNames: { 'CC-1001': 'Officina Demo', 'CC-2002': 'Tuning Nord', 'CC-3003': longName },
  groupCodesInfo: [
    { groupCode: 'G-10', ...describeMasters(() => ['KS3-M-0001']) },
    {
      groupCode: 'G-11',
      ...describeMasters((family) => (family === 'kess3' ? ['KS3-M-0002'] : [])),
    },
  ],
  culture: 'en-US',
  hasPortalAccess: true,
  isOperator: false,
  isManager: true,
  canReceive: true,
  entries: byWorkflow(() => null),
};

const closed = byWorkflow(() => 'USER_NOT_AUTHORIZED' as const);

/** A workshop that only receives files. */
export const receivingSession: Session = { ...session, entries: closed };
/** A workshop without slaves, its own or linked. */
export const blockedSession: Session = { ...receivingSession, canReceive: false };
/** An account without access to the portal. */
export const outsideSession: Session = { ...blockedSession, hasPortalAccess: false };

/** The same workshop with very long names. */
export const longSession: Session = {
  ...session,
  userDisplayName: 'Maximiliane-Anastasia Freifrau von Hohenlohe-Waldenburg',
  userOrganizationName: longName,
  customerCode: 'CC-1001-CASTELNUOVO-GARFAGNANA',
  customerCodeNames: { ...session.customerCodeNames, 'CC-1001-CASTELNUOVO-GARFAGNANA': longName },
};

export const config: PageConfig = {
  productName: 'Recodery',
  version: '0.0.0',
  signInURL: '/login',
  maxFileBytes: 64 * 1024 * 1024,
  links: {
    dealer: '#dealer',
    dashboard: '#dashboard',
    userGuide: {},
    privacy: '#privacy',
    cookies: '#cookies',
    terms: '#terms',
    legal: '#legal',
    support: '#support',
  },
  terms: { version: '1', articles: ['5', '6', '7', '8', '9', '10', '12', '14', '15'] },
  companyLines: ['Recodery Demo Ltd · 1 Workshop Lane · VAT XX 000 000 000'],
};

const now = Date.now();
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

export const guidOf = (number: number): string =>
  `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
let count = 0;
const nextGuid = (): string => {
  count += 1;
  return guidOf(count);
};

/** A notification of a successful decode that was seen, with the given differences. */
export function notified(differs: Partial<Notification> = {}): Notification {
  const completedOn = differs.completedOn ?? minutesAgo(12);
  return {
    guid: nextGuid(),
    asyncOperationType: 'KESS3Decode',
    completedOn,
    isSuccessful: true,
    message: 'File decoded',
    longMessage: 'bench_KS3-000042.k3r · KS3-000042',
    targetURL: '/api/files/0',
    targetURLFileName: 'bench_KS3-000042.zip',
    deviceSerialNumber: 'KS3-000042',
    errorCode: null,
    errorDetail: null,
    isSent: true,
    isReceived: false,
    isPrivate: true,
    otherOrganizationName: null,
    senderNotifiedOn: completedOn,
    senderInteractedOn: completedOn,
    receiverNotifiedOn: null,
    receiverInteractedOn: null,
    mail: null,
    ...differs,
  };
}

const mail = {
  email: 'garage@rossi.test',
  status: 'sent',
  failure: null,
  sentOn: minutesAgo(30),
  way: 'mail-server',
  firstDownloadOn: null,
} as const;
const encoded = {
  asyncOperationType: 'KESS3Encode',
  message: 'File encoded',
  longMessage: 'stage1_KS3-000042.moc · KS3-000042',
  targetURLFileName: 'stage1_KS3-000042.moc',
} as const;

/** Each kind of notification once. */
export const notifications: readonly (readonly [string, Notification])[] = [
  ['new', notified({ senderInteractedOn: null })],
  ['seen', notified()],
  [
    'failed',
    notified({
      isSuccessful: false,
      message: 'File not decoded',
      errorCode: 'FILE_CORRUPTED',
      targetURL: null,
      senderInteractedOn: null,
    }),
  ],
  ['too old to download', notified({ completedOn: minutesAgo(20_000) })],
  ['sent', notified({ ...encoded, mail })],
  ['mail waiting', notified({ ...encoded, mail: { ...mail, status: 'waiting', sentOn: null } })],
  [
    'mail failed',
    notified({ ...encoded, mail: { ...mail, status: 'failed', failure: 'refused', sentOn: null } }),
  ],
  ['link revoked', notified({ ...encoded, mail: { ...mail, status: 'revoked' } })],
  ['in the outbox', notified({ ...encoded, mail: { ...mail, way: 'outbox' } })],
  ['fetched', notified({ ...encoded, mail: { ...mail, firstDownloadOn: minutesAgo(4) } })],
  [
    'received, with a note',
    notified({
      ...encoded,
      isSent: false,
      isReceived: true,
      isPrivate: false,
      otherOrganizationName: 'Officina Demo',
      longMessage: 'stage1_KS3-000042.moc · KS3-000042\nStage 1, EGR left as it was.',
    }),
  ],
  [
    'long names',
    notified({
      ...encoded,
      longMessage:
        'Volkswagen_Golf_VII_2.0_TDI_150hp_EDC17C64_ORIGINAL_read_after_service_customer_final_v3.moc · KS3-000042',
      mail: { ...mail, email: `${'workshop'.repeat(7)}@${'very-long-domain'.repeat(3)}.example` },
      otherOrganizationName: longName,
    }),
  ],
];

/** The last operations: each result once. */
export const operations: readonly OperationSummary[] = (
  [
    ['KESS3Encode', 'succeeded', 'stage1_KS3-000042.moc', null],
    ['KESS3Decode', 'running', 'bench_KS3-000042.k3r', null],
    ['KTAGDecode', 'failed', 'backup_07.ktb', 'FILE_CORRUPTED'],
    ['KESSv2Decode', 'succeeded', 'lettura_KV2-000007.kv2', null],
    ['KESSv2Encode', 'failed', `${'a very long name of a file '.repeat(6)}.kv2`, 'WRONG_SIZE'],
    ['KESSv2Encode', 'waiting', 'stage2.kv2', null],
  ] as const
).map(([asyncOperationType, status, fileName, errorName], at) => ({
  guid: nextGuid(),
  asyncOperationType,
  isUtility: false,
  family: describeOperationType(asyncOperationType).family,
  status,
  fileName,
  resultName:
    status === 'succeeded'
      ? `KESS3_KS3-000042_9000_20261121-0958${String(at).padStart(2, '0')}`
      : null,
  recipientEmail: at === 0 ? 'garage@rossi.test' : null,
  slaveSerialNumber: status === 'failed' ? null : 'KS3-000042',
  protocolID: status === 'failed' ? null : 9000,
  protocolName: status === 'failed' ? null : 'REF-OPEN',
  engine: status === 'succeeded' ? 'R4.2 TURBO' : null,
  userDisplayName: at === 1 ? longName : 'Anna Master',
  startedOn: minutesAgo(at * 50 + 3),
  completedOn: status === 'succeeded' || status === 'failed' ? minutesAgo(at * 50 + 2) : null,
  error: errorName === null ? null : { errorName, detail: null },
}));

export const preferences: Preferences = {
  organisationPreferences: {
    ...describeNameFormats((family) => (family === 'kessv2' ? 'tuned_%r' : null)),
    decodedFileNameFormat: null,
    timeZone: null,
    autoSendDefaultAction: 'EncodeAndSend',
    autoSendNotificationIsPrivateByDefault: null,
    defaultAutoSendAction: 'EncodeAndSend',
    isAutoSendNotificationPrivateByDefault: null,
  },
  canUserAutoSend: true,
};

/** The query for the entry point of a KESS3 page whose user has chosen no device: the first one is asked about. */
export const kess3Entrance = ['code', 'entrance', 'kess3', 'G-10', 'KS3-M-0001', false] as const;

export const entry = {
  isAutoSendEnabled: true,
  autoSendDefaultAction: 'EncodeAndSend',
  isPrivateByDefault: true,
  canUseUtility: true,
  takesForeignFiles: false,
  isDouble: false,
  someDeviceTakesForeignFiles: false,
  maySkipChecksum: true,
  hasDebugFlag: true,
} as const satisfies Entry;

/** A query of the page, and its response. */
export interface Answer {
  readonly key: QueryKey;
  /** The response; undefined while the query is being fetched. */
  readonly data?: unknown;
  /** The error of the query. */
  readonly thrown?: Error;
}

/** The error of a request without a connection. */
export const broken = new TypeError('Failed to fetch');

/** The response to a query of the notifications, in every language. */
export function notificationsAre(
  query: 'latest' | 'list',
  answer: Omit<Answer, 'key'>,
): readonly Answer[] {
  return languages.map((language) => ({
    key: ['code', 'notifications', query, language],
    ...answer,
  }));
}

/** New notifications behind these latest ones, which are all that were requested. */
export function newBehind(
  latest: readonly Notification[],
  older: readonly Notification[],
): readonly Answer[] {
  const last = latest.at(-1);
  const to = last && cursorBehind(last);
  return languages.map((language) => ({
    key: ['code', 'notifications', 'older-new', language, to],
    data: older,
  }));
}

/** The default responses of every state. Notifications and messages are requested by language. */
export const answers: readonly Answer[] = [
  { key: ['session'], data: session },
  { key: ['config'], data: config },
  { key: ['terms'], data: true },
  { key: ['service-status'], data: { statusCode: 200 } },
  {
    key: ['code', 'last-operations'],
    // one more than the page shows: there are older ones
    data: { pages: [[...operations, ...operations.slice(0, 1)]], pageParams: [null] },
  },
  { key: ['code', 'preferences'], data: preferences },
  { key: kess3Entrance, data: { entry, resumed: null, notFound: null } satisfies Entrance },
  ...languages.map((language) => ({
    key: ['messages', language],
    data: { all: [], unseen: [] },
  })),
  ...notificationsAre('latest', { data: notifications.map(([, seen]) => seen) }),
  ...notificationsAre('list', {
    data: { pages: [notifications.map(([, seen]) => seen)], pageParams: [null] },
  }),
];

/** A running encode of a KESS3 slot with this context data. */
export const encodeOf = (contextData: string): Operation =>
  operation.parse({
    guid: guidOf(6),
    asyncOperationGUID: guidOf(6),
    asyncOperationType: 'KESS3Encode',
    slotGUID: guidOf(50),
    userFlow: 'E',
    contextData,
    status: 'running',
    isCompleted: false,
    isSuccessful: false,
    hasFailed: false,
    suggestedPollingInterval: 2,
    recommendedPollingInterval: 2,
    isUtility: false,
    startedOn: minutesAgo(1),
    completedOn: null,
    progress: { stage: 'ENCODING', fraction: 0.3 },
    result: null,
    error: null,
  });
