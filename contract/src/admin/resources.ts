/** The resources of the administration. */
import { cultures } from '../cultures.ts';
import { builtInEngine, connectionKinds, settingsOf } from '../features/engines.ts';
import { longestMessage } from '../features/messages.ts';
import { families } from '../families/registry.ts';
import { acceptances, installationSettings, keys, terms } from './installation.ts';
import { backups, backupSchedule } from './backup-resources.ts';
import { originals } from './originals.ts';
import { resource } from './resource.ts';
import { signInFailures, signInProvider } from './sign-in-resources.ts';

/** The names of an organisation's rights. The families are its subscriptions. */
export const rightNames = [
  ...families,
  'recod',
  'utility',
  'autoSend',
  'skipChecksum',
  'debug',
] as const;

/**
 * What becomes of an email. `outbox`: stored as a file, because there is no mail server; `no-user`: no user has the
 * address, so it is not sent; `revoked`: its sender has withdrawn it.
 */
export const emailStatuses = ['waiting', 'sent', 'outbox', 'failed', 'no-user', 'revoked'] as const;

/** What emails are about: a file, or an account. */
const emailKinds = [
  'file',
  'invitation',
  'password',
  'factor-added',
  'factor-removed',
  'factor-guessed',
  'recovery-code-used',
] as const;

/** Who does something; `operator`: at the command line. */
const actorKinds = ['user', 'client', 'operator', 'worker', 'anyone'] as const;

const organisationCode = { kind: 'reference', to: 'organisations', by: 'customerCode' } as const;

export const organisations = resource({
  name: 'organisations',
  path: '/api/admin/organisations',
  role: 'operator',
  title: 'customerCode',
  fields: {
    customerCode: { kind: 'text', edit: 'create', required: true, most: 64 },
    name: { kind: 'text', edit: 'always', required: true },
    email: { kind: 'email', edit: 'always' },
    culture: { kind: 'choice', edit: 'always', required: true, options: cultures },
    rights: { kind: 'choices', edit: 'always', options: rightNames },
    groupCodes: { kind: 'list', edit: 'always', most: 64 },
    logo: { kind: 'image', edit: 'always', most: 131_072 },
    /** Null: the quota of the settings. */
    quotaGib: { kind: 'number', edit: 'always' },
    /** No one can sign in or call the API for it. Its jobs and files are kept. */
    archived: { kind: 'switch', edit: 'always' },
    users: { kind: 'number', edit: 'never', required: true },
    masters: { kind: 'number', edit: 'never', required: true },
  },
  // the state before the numbers, so that narrow windows show it too
  columns: ['customerCode', 'name', 'archived', 'email', 'users', 'masters'],
  search: ['customerCode', 'name', 'email', 'groupCodes'],
  sort: 'customerCode',
  filters: { archived: { kind: 'choice', edit: 'never', options: ['false', 'true'] } },
  can: { create: true, update: true, remove: true },
  actions: ['archive', 'restore'],
  /** Only one without users, devices and work is removed. */
  offered: { remove: { field: 'archived', is: ['true'] } },
  confirmedActions: ['remove'],
});

export const users = resource({
  name: 'users',
  path: '/api/admin/users',
  role: 'operator',
  title: 'email',
  fields: {
    email: { kind: 'email', edit: 'create', required: true },
    name: { kind: 'text', edit: 'always', required: true },
    culture: { kind: 'choice', edit: 'always', options: cultures },
    /** In order: the first is current after sign-in. */
    customerCodes: { ...organisationCode, kind: 'references', edit: 'always', isOrdered: true },
    manager: { ...organisationCode, kind: 'references', edit: 'always', within: 'customerCodes' },
    /** The organisations for which the user cannot work any more. */
    suspended: { ...organisationCode, kind: 'references', edit: 'always', within: 'customerCodes' },
    operator: { kind: 'switch', edit: 'always' },
    /** False: the user sees messages and notifications only. */
    portalAccess: { kind: 'switch', edit: 'always' },
    /** Nobody signs in to the account, whatever the managers change. */
    accountSuspended: { kind: 'switch', edit: 'always' },
    hasPassword: { kind: 'switch', edit: 'never' },
  },
  columns: ['email', 'name', 'customerCodes', 'operator', 'accountSuspended'],
  search: ['email', 'name', 'customerCodes'],
  sort: 'email',
  can: { create: true, update: true, remove: true },
  /**
   * `invite` returns a link with which the user sets a password; `signOut` ends all sessions of the user;
   * `removeFactors` also removes all second factors.
   */
  actions: ['invite', 'signOut', 'removeFactors', 'suspend', 'restore'],
  // both can take over an account
  confirmedActions: ['invite', 'removeFactors'],
});

const device = {
  family: { kind: 'choice', edit: 'create', required: true, options: families },
  /** Files of the device contain it in a field of 32 bytes. */
  serial: { kind: 'text', edit: 'create', required: true, mostBytes: 32 },
} as const;

export const masters = resource({
  name: 'masters',
  path: '/api/admin/masters',
  role: 'operator',
  title: 'serial',
  fields: {
    ...device,
    customerCode: { ...organisationCode, edit: 'always', required: true },
    /** A group code of the organisation; a new one is added to it. */
    groupCode: { kind: 'text', edit: 'always', required: true, most: 64 },
    /** `built-in`, or the name of a connection. */
    engine: { kind: 'reference', edit: 'always', required: true, to: 'engines', by: 'name' },
    slaves: { kind: 'number', edit: 'never', required: true },
  },
  columns: ['serial', 'family', 'customerCode', 'groupCode', 'engine', 'slaves'],
  search: ['serial', 'customerCode', 'groupCode', 'engine'],
  sort: 'serial',
  can: { create: true, update: true, remove: true },
  actions: [],
});

export const slaves = resource({
  name: 'slaves',
  path: '/api/admin/slaves',
  role: 'operator',
  title: 'serial',
  fields: {
    ...device,
    /** The serial number of a master device of the same family. */
    masterSerial: {
      kind: 'reference',
      edit: 'always',
      required: true,
      to: 'masters',
      by: 'serial',
    },
    /** The customer code of the workshop that owns it. */
    owner: { ...organisationCode, edit: 'always' },
    revoked: { kind: 'switch', edit: 'always' },
    /** null: the vendor's service manages its keys. */
    keyNumber: { kind: 'number', edit: 'never', isRevised: true },
    /** null: it has the key that it was added with. */
    keyRenewedOn: { kind: 'time', edit: 'never' },
  },
  columns: ['serial', 'family', 'masterSerial', 'owner', 'revoked'],
  search: ['serial', 'masterSerial', 'owner'],
  sort: 'serial',
  can: { create: true, update: true, remove: true },
  actions: ['revoke', 'restore', 'renewKey'],
  /** The key file, which opens and seals all files of the slave. */
  download: { field: 'revoked', is: ['false'] },
  confirmedActions: ['download', 'renewKey'],
  /** A second renewal would revoke the key that has just been written to the device. */
  revisedActions: ['renewKey'],
});

/** The engines that master devices can have: the portal's own, and connections to vendors' services. */
export const engines = resource({
  name: 'engines',
  path: '/api/admin/engines',
  role: 'operator',
  title: 'name',
  fields: {
    name: { kind: 'text', edit: 'create', required: true, isUnique: true, most: 64 },
    kind: { kind: 'choice', edit: 'create', required: true, options: connectionKinds },
    /** Null in a new record: the address that all users of the kind have. */
    url: { kind: 'text', edit: 'always', most: 500 },
    /** What identifies this portal at the vendor. */
    client: {
      kind: 'text',
      edit: 'always',
      most: 128,
      when: {
        field: 'kind',
        is: connectionKinds.filter((kind) => settingsOf(kind).client !== null),
      },
    },
    /** Sent again with each change, because it must never reach another address than the operator means. */
    secret: { kind: 'secret', edit: 'always', required: true, most: 10_000 },
    families: { kind: 'choices', edit: 'never', options: families },
    masters: { kind: 'number', edit: 'never', required: true },
  },
  columns: ['name', 'kind', 'url', 'families', 'masters'],
  search: ['name', 'kind', 'url'],
  sort: 'name',
  can: { create: true, update: true, remove: true },
  /** `test` reaches the service with the credentials. */
  actions: ['test'],
  fixed: { field: 'kind', is: [builtInEngine] },
});

/** The messages to all users. Users whose language has none see the English ones. */
export const messages = resource({
  name: 'messages',
  path: '/api/admin/messages',
  role: 'operator',
  title: 'text',
  fields: {
    text: { kind: 'text', edit: 'always', required: true, isLong: true, most: longestMessage },
    language: {
      kind: 'choice',
      edit: 'always',
      required: true,
      options: cultures.map((culture) => culture.slice(0, 2)),
    },
    /** Null in a new message: now. */
    shownFrom: { kind: 'time', edit: 'always' },
    /** Null: until the message is removed. */
    shownTo: { kind: 'time', edit: 'always' },
    state: { kind: 'choice', edit: 'never', required: true, options: ['coming', 'shown', 'past'] },
  },
  columns: ['text', 'state', 'language', 'shownFrom', 'shownTo'],
  search: ['text'],
  sort: 'shownFrom',
  can: { create: true, update: true, remove: true },
  actions: [],
});

/** Whether new work is refused: one record. */
export const maintenance = resource({
  name: 'maintenance',
  path: '/api/admin/maintenance',
  role: 'operator',
  title: 'state',
  fields: {
    state: { kind: 'choice', edit: 'never', required: true, options: ['off', 'planned', 'on'] },
    /** From now until it is turned off. */
    isOn: { kind: 'switch', edit: 'always' },
    plannedFrom: { kind: 'time', edit: 'always' },
    /** Null: until the plan is removed. */
    plannedTo: { kind: 'time', edit: 'always' },
  },
  columns: ['state', 'isOn', 'plannedFrom', 'plannedTo'],
  search: [],
  sort: 'state',
  can: { update: true },
  actions: [],
});

/** The emails of the last weeks: those with files, and those about accounts. */
export const emails = resource({
  name: 'emails',
  path: '/api/admin/emails',
  role: 'operator',
  title: 'email',
  fields: {
    email: { kind: 'email', edit: 'never', required: true },
    status: { kind: 'choice', edit: 'never', required: true, options: emailStatuses },
    kind: { kind: 'choice', edit: 'never', required: true, options: emailKinds },
    customerCode: { kind: 'text', edit: 'never' },
    createdOn: { kind: 'time', edit: 'never', required: true },
    /** Of a waiting email; the mailer may be sending it at this moment. */
    nextOn: { kind: 'time', edit: 'never' },
    sentOn: { kind: 'time', edit: 'never' },
    attempts: { kind: 'number', edit: 'never', required: true },
    /** The last error, such as the response of the mail server. */
    error: { kind: 'text', edit: 'never' },
  },
  columns: ['email', 'status', 'createdOn', 'kind', 'nextOn', 'error'],
  search: ['email', 'error'],
  sort: '-createdOn',
  sortable: ['createdOn'],
  filters: {
    status: { kind: 'choice', edit: 'never', options: emailStatuses },
    customerCode: { ...organisationCode, edit: 'never' },
  },
  isEndless: true,
  can: {},
  actions: ['retry'],
  offered: { retry: { field: 'status', is: ['waiting', 'failed'] } },
  /** `test` sends an email to the operator. */
  tasks: ['test'],
});

/** Who did what: the entries of the audit trail. */
export const audit = resource({
  name: 'audit',
  path: '/api/admin/audit',
  role: 'operator',
  title: 'action',
  fields: {
    on: { kind: 'time', edit: 'never', required: true },
    who: { kind: 'text', edit: 'never' },
    whoKind: { kind: 'choice', edit: 'never', required: true, options: actorKinds },
    action: { kind: 'text', edit: 'never', required: true },
    outcome: { kind: 'text', edit: 'never', required: true },
    customerCode: { kind: 'text', edit: 'never' },
    /** The network address. */
    address: { kind: 'text', edit: 'never' },
    position: { kind: 'number', edit: 'never', required: true },
    /** What was changed, with old and new values, as indented JSON. */
    details: { kind: 'json', edit: 'never', required: true },
    hash: { kind: 'text', edit: 'never', required: true },
  },
  columns: ['on', 'who', 'action', 'outcome', 'customerCode', 'address'],
  /** In the entry as it is stored: it contains the GUID of an organisation, not the customer code. */
  search: ['who', 'action', 'outcome', 'address', 'details'],
  sort: '-on',
  sortable: ['on'],
  filters: {
    who: { kind: 'text', edit: 'never' },
    /** The beginning of an action. */
    action: { kind: 'text', edit: 'never' },
    customerCode: { ...organisationCode, edit: 'never' },
    from: { kind: 'time', edit: 'never' },
    to: { kind: 'time', edit: 'never' },
  },
  isEndless: true,
  can: {},
  actions: [],
  /** `verify` checks that no entry was changed or removed. */
  tasks: ['verify'],
  hasExport: true,
});

/** What each organisation stores. */
export const storage = resource({
  name: 'storage',
  path: '/api/admin/storage',
  role: 'operator',
  title: 'customerCode',
  fields: {
    customerCode: { kind: 'text', edit: 'never', required: true },
    name: { kind: 'text', edit: 'never', required: true },
    usedBytes: { kind: 'bytes', edit: 'never', required: true },
    quotaBytes: { kind: 'bytes', edit: 'never', required: true },
    usedPercent: { kind: 'number', edit: 'never', required: true },
    damaged: { kind: 'number', edit: 'never', required: true },
    retentionDays: { kind: 'number', edit: 'never', required: true },
  },
  columns: ['customerCode', 'name', 'usedBytes', 'usedPercent', 'damaged', 'retentionDays'],
  search: ['customerCode', 'name'],
  sort: '-usedBytes',
  can: {},
  actions: [],
  /** `scan` reads every file again in the background; `result` shows how far it has come, and what is damaged. */
  tasks: ['result', 'scan'],
});

/** All resources by name. */
export const resources = {
  organisations,
  users,
  masters,
  slaves,
  engines,
  originals,
  messages,
  maintenance,
  emails,
  audit,
  storage,
  terms,
  acceptances,
  signIn: signInProvider,
  signInFailures,
  settings: installationSettings,
  keys,
  backups,
  backupSchedule,
} as const;
export type ResourceName = keyof typeof resources;
