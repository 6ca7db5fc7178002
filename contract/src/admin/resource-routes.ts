/** The routes of each resource. */
import type { Route } from '../api.ts';
import { type ResourceRoutes, routesOf } from './derive-routes.ts';
import { people } from './people.ts';
import type { Resource } from './resource.ts';
import { resources } from './resources.ts';

/** What people call a record of a resource, for the API document. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  organisations: ['an organisation', 'organisations'],
  users: ['a user', 'users'],
  masters: ['a master device', 'master devices'],
  slaves: ['a slave device', 'slave devices'],
  engines: ['an engine', 'engines'],
  originals: ['an original', 'the originals library'],
  messages: ['a message to all users', 'messages to all users'],
  maintenance: ['the maintenance', 'the one record of the maintenance'],
  emails: ['an email', 'emails'],
  audit: ['an entry of the audit trail', 'entries of the audit trail'],
  storage: ['the storage of an organisation', 'what organisations store'],
  terms: ['a version of the terms of use', 'the versions of the terms of use'],
  signIn: ['where users sign in', 'the one record of where users sign in'],
  signInFailures: ['a failed sign-in', 'the last failed sign-ins with their reason'],
  settings: ['a setting of the installation', 'the settings of the installation'],
  keys: ['the keys of a purpose', 'the keys of the installation by their purpose'],
  acceptances: ['an acceptance of the terms of use', 'who has accepted the terms of use'],
  backups: ['a backup', 'the backups in the backup folder'],
  backupSchedule: ['the backup schedule', 'the one record of the backup schedule'],
  people: ['a person of the organisation', 'the people of the organisation'],
};

/** What the actions do, for the API document. */
const actionTexts: Readonly<Record<string, string>> = {
  invite:
    '`invite` creates a link with which the user sets a password, but not for the own account.',
  signOut: '`signOut` ends all sessions of the user.',
  removeFactors:
    '`removeFactors` removes all second factors of another user, and ends all sessions. Both need a sign-in or the password within ten minutes.',
  resend:
    '`resend` emails the invitation again, or returns a link if the portal has no mail server.',
  'emails.test':
    '`test` sends an email to the caller, and returns the response of the mail server.',
  test: '`test` reaches the service with its credentials, and returns what it found.',
  'signIn.test':
    '`test` reaches the external provider as a sign-in does, and returns what was tested and what could not be.',
  retry:
    '`retry` sends a failed email again, and a waiting one at once; a link that has expired is not sent.',
  scan: '`scan` lets a worker read every file and compare it with its hash.',
  result: '`result` shows how far the scan has come, and which files are damaged.',
  verify: '`verify` checks that no entry was changed or removed.',
  create: '`create` requests a backup, which a portal makes in the background, one at a time.',
  'backups.verify': '`verify` reads the file again in the background, as a restore does.',
  archive:
    '`archive` ends all access to the organisation for users and client applications, and keeps its work.',
  suspend: '`suspend` ends all sessions of the user and prevents any sign-in to the account.',
  revoke: '`revoke` refuses the files of the slave device from now on.',
  renewKey:
    '`renewKey` gives the slave device a new key, and refuses files under the former ones. It needs a sign-in or the password within ten minutes, and the revision of the record in If-Match.',
  renew: '`renew` adds a key that replaces the present one; what that has signed stays valid.',
  replace: '`replace` adds a key, and retires all others at once.',
  renewAll: '`renewAll` renews all keys that can be renewed.',
  rotate:
    '`rotate` replaces the secret that encrypts all keys. All need a sign-in or the password within ten minutes.',
  publish:
    '`publish` puts a draft in force: users are asked to accept it at their next visit, unless it does not ask again.',
  copy: '`copy` adds a draft with the same articles and texts, and returns it.',
  restore: '`restore` undoes this.',
};

/** The routes of a resource, described for the API document. */
function described<const R extends Resource>(declared: R): ResourceRoutes<R> {
  const [one, many] = nouns[declared.name] ?? ['a record', 'records'];
  const describe = (names: readonly string[]) =>
    names
      .map((name) => actionTexts[`${declared.name}.${name}`] ?? actionTexts[name] ?? '')
      .join(' ');
  const { actions, tasks = [] } = declared;
  return routesOf(declared, { one, many, actions: describe(actions), tasks: describe(tasks) });
}

/** The routes of the resources, by their names. */
export const adminRoutes = {
  organisations: described(resources.organisations),
  users: described(resources.users),
  masters: described(resources.masters),
  slaves: described(resources.slaves),
  engines: described(resources.engines),
  originals: described(resources.originals),
  messages: described(resources.messages),
  maintenance: described(resources.maintenance),
  emails: described(resources.emails),
  audit: described(resources.audit),
  storage: described(resources.storage),
  terms: described(resources.terms),
  acceptances: described(resources.acceptances),
  signIn: described(resources.signIn),
  signInFailures: described(resources.signInFailures),
  settings: described(resources.settings),
  keys: described(resources.keys),
  backups: described(resources.backups),
  backupSchedule: described(resources.backupSchedule),
  people: described(people),
};

/** All of them, by the name that the API document and the audit trail use, such as `adminUsers.list`. */
export const adminRouteNames: Readonly<Record<string, Readonly<Record<string, Route>>>> =
  Object.fromEntries(
    Object.entries(adminRoutes).map(([name, routes]) => [
      `admin${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      Object.fromEntries(
        Object.entries(routes).filter((entry): entry is [string, Route] => entry[1] !== null),
      ),
    ]),
  );
