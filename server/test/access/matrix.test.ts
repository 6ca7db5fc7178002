/**
 * Every route of the server with every caller and each GUID in each place. A route without a row fails here, and so
 * does a row that leaves out a place in which a caller could name something of another organisation.
 */
import { families } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredPlaces, describe as describeReply, requestDifferences } from './ask.ts';
import { openState } from './database-state.ts';
import { type Column, columns } from './rows.ts';
import { isStaticFile, outsideContract } from './outside-contract.ts';
import { writeReport } from './write-report.ts';
import {
  asProgram,
  asUser,
  setUpTwoOrganisations,
  type TwoOrganisations,
} from './two-organisations.ts';
import {
  isLong,
  lines,
  orphans,
  ownAs,
  type RowedLine,
  type Sent,
  sweepGranted,
  sweepRights,
  sweepRow,
} from './sweep.ts';

let setup: TwoOrganisations;
let state: Readonly<Record<string, string>>;
let readNow: () => Promise<typeof state>;

beforeAll(async () => {
  setup = await setUpTwoOrganisations();
  // the tests remove rights of an organisation and grant them again
  readNow = await openState(setup.portal.platform, (table) => table === 'organisation');
  state = await readNow();
});
afterAll(async () => {
  await setup.portal.stop();
  await writeReport('matrix', {
    columns,
    rows: [...cells].map(([name, row]) => ({
      name,
      route: callOf.get(name) ?? '',
      answers: Object.fromEntries([...row].map(([column, answers]) => [column, [...answers]])),
    })),
  });
});

/** The route of a row: `GET /api/operations`. */
const callOf: ReadonlyMap<string, string> = new Map(
  lines.map(({ name, route, prefix }) => [name, `${route.verb} ${prefix}${route.path}`]),
);

const rowed = lines.filter((line): line is RowedLine => line.row !== undefined);

/** The responses of the matrix, by route and column. */
const cells = new Map<string, Map<Column, Set<string>>>();

function record(name: string, column: Column, answer: string): void {
  const row = cells.get(name) ?? new Map<Column, Set<string>>();
  cells.set(name, row.set(column, (row.get(column) ?? new Set()).add(answer)));
}

/** The responses that are not the expected ones. */
function wrongOf(sent: readonly Sent[]): readonly (readonly [string, string])[] {
  return sent
    .filter(({ expected, reply }) => reply.answer !== expected)
    .map(({ words, expected, reply }) => [words, `${reply.answer} instead of ${expected}`]);
}

const ofOtherOrganisations: ReadonlySet<Column> = new Set<Column>([
  'otherCode',
  'stranger',
  'strangersClient',
  'otherParty',
]);

/** The owner's secrets that appear in responses to callers from other organisations. */
function leaksOf(
  { owner }: TwoOrganisations,
  sent: readonly Sent[],
): readonly (readonly [string, string])[] {
  return sent
    .filter(({ column }) => ofOtherOrganisations.has(column))
    .flatMap(({ column, words, reply }) =>
      owner.secrets
        .filter((secret) => column !== 'otherParty' || !owner.shared.includes(secret))
        .filter((secret) => reply.whole.includes(secret))
        .map((secret): readonly [string, string] => [words, secret]),
    );
}

/** Values that name nothing of an organisation. Tickets, tokens and secrets are tested in credentials.test.ts. */
const plainValues: ReadonlySet<string> = new Set([
  // of an image as text
  ...['format', 'base', 'delivery', 'seal'],
  ...['count', 'mode', 'fileType', 'component', 'componentType', 'version', 'i_twoLetterCode'],
  // the language of a page
  'language',
  'slaveSerialNumber',
  ...['userFlow', 'contextData', 'notificationInfo', 'organisationPreferences', 'download'],
  ...[
    'willCorrectCVN',
    'willSkipChecksum',
    'willCorrectChecksums',
    'skipChecksum',
    'hasDebugFlag',
    'fromUtility',
  ],
  // what a page notes of refused files: names, sizes and codes
  'refused',
  ...['removed', 'RemoveFlash', 'RemoveMicro', 'RemoveEEPROM', 'RemoveMapFile'],
  ...['name', 'allowedNetworks', 'expiresOn', 'url'],
  // of an invitation
  ...['email', 'emails', 'isManager'],
  // of lists and records of the administration
  ...['sort', 'after', 'move', 'withoutManager', 'confirm', 'manager', 'suspended', 'action'],
  // the names, sizes and hashes of a tray's files
  'files',
  // whether a request belongs to a tray, and whether only new notifications are listed
  ...['isFromTray', 'new'],
  // the name that a page gives to its own upload
  'upload',
  // labels of a program's own customers, and what it gets back unchanged
  ...['userCode', 'userCustomerCode', 'ownerCustomerCode', 'userInfo', 'callbackURL'],
  // places in an image and in a list of regions
  ...['first', 'at', 'from'],
  ...[
    'culture',
    'oldPassword',
    'password',
    'draft',
    'credential',
    'newPassword',
    'operator',
    'organisation',
    'groupCode',
    'masters',
    'slaves',
  ],
  ...['ticket', 'token', 'secretKey', 'code', 'sha256', 'receipt'],
  // of jobs
  ...['search', 'family', 'device', 'person', 'to', 'kept', 'note', 'isKept', 'retentionDays'],
  ...['expiring', 'expiringUntil'],
  ...['customerLabel', 'plate', 'vehicleMake', 'vehicleModel'],
]);

/** What has changed in the database and the storage since the previous test. */
async function findChanges(): Promise<readonly string[]> {
  const before = state;
  state = await readNow();
  return Object.keys(state).filter((name) => state[name] !== before[name]);
}

describe('the matrix', () => {
  // promise 6.roles.unauthenticated, d4.public.routes
  test('has a row for every route of the server', () => {
    expect(lines.filter(({ row }) => row === undefined).map(({ name }) => name)).toEqual([]);
    expect(orphans).toEqual([]);
    const contract = lines.map(({ route, prefix }) => {
      const path = route.path.replace(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
      return `${route.verb} ${prefix}${path}`;
    });
    const known = new Set([...contract, ...outsideContract.keys()]);
    // a HEAD request is sent with each GET
    const served = [...setup.served].filter((route) => !route.startsWith('HEAD '));
    const withoutSlash = served.map((route) => route.replace(/(.)\/$/, '$1'));
    const isMissing = (route: string) => !known.has(route) && !isStaticFile(route);
    expect(withoutSlash.filter(isMissing)).toEqual([]);
    expect([...known].filter((route) => !withoutSlash.includes(route))).toEqual([]);
  });

  test('names something in every place in which a caller can write a GUID', () => {
    const own = (row: RowedLine['row']) => [
      row.ask(ownAs(setup.owner, asUser(setup.anna))),
      row.ask(ownAs(setup.stranger, asUser(setup.mia))),
    ];
    // the operator's calls belong to no organisation
    const ofOrganisations = rowed.filter(({ route }) => route.parts.role !== 'operator');
    const missing = ofOrganisations.flatMap(({ name, route, row }) => {
      const [owners = {}, strangers = {}] = own(row);
      const named = requestDifferences(owners, strangers);
      return declaredPlaces(route)
        .filter((place) => !named.some((one) => one === place || one.startsWith(`${place}.`)))
        .filter((place) => !plainValues.has(place.replace(/^\w+\./, '')))
        .map((place) => `${name}: ${place}`);
    });
    expect(missing).toEqual([]);
  });

  // the rows take the switches from what the families declare
  test('tries each right that a switch of a call needs, and that to send in the calls of each family', () => {
    const tried = rowed.flatMap(({ row: { work } }) =>
      (work?.switches ?? []).map(({ right }) => `${right} ${work?.family}`),
    );
    for (const right of ['may_utility', 'may_skip_checksum', 'may_debug'])
      expect(tried).toContainEqual(expect.stringMatching(`^${right} `));
    expect(tried).toEqual(
      expect.arrayContaining(families.map((family) => `may_auto_send ${family}`)),
    );
  });

  test('refuses client applications only calls about a session, and those that would raise their rights', () => {
    const forUsers = lines.filter(
      ({ route: { path, parts } }) =>
        (parts.access === 'person' || parts.access === 'own-session') &&
        parts.role !== 'operator' &&
        !path.startsWith('/api/auth/') &&
        !path.startsWith('/api/account'),
    );
    expect(forUsers.map(({ name }) => name)).toEqual([
      'clients.addClient',
      'invitations.inviteUsers',
      'invitations.listInvitations',
      'invitations.revokeInvitation',
      'adminPeople.list',
      'adminPeople.read',
      'adminPeople.update',
      'adminPeople.remove',
      'adminPeople.act',
    ]);
  });
});

describe.each(rowed)('$name', (line) => {
  // promise 6.roles.unauthenticated, 6.roles.ended, 6.roles.others, d5.rights.not-there
  // promise e1.token.required, e2.clients.networks, e2.clients.organisation
  test('refuses every wrong caller, shows nothing, and changes nothing', async () => {
    const sent = [...(await sweepRow(setup, line)), ...(await sweepRights(setup, line))];
    for (const { column, reply } of sent) record(line.name, column, reply.answer);
    const found = { wrong: wrongOf(sent), leaks: leaksOf(setup, sent) };
    expect(found).toEqual({ wrong: [], leaks: [] });
    // in each run once after all rows, because it takes a fifth of the time of this file
    if (isLong) expect(await findChanges()).toEqual([]);
  });
});

describe.each([...outsideContract])('%s', (name, { verb, path, answer }) => {
  test('responds to everyone in the same way', async () => {
    const callers = [{}, asUser(setup.anna), asUser(setup.mia), asProgram(setup.owner.program)];
    for (const headers of callers) {
      const method = verb as 'GET';
      const reply = describeReply(await setup.app.inject({ method, url: path, headers }));
      record(name, 'none', reply.answer);
      expect([headers, reply.answer]).toEqual([headers, answer]);
    }
  });
});

// the release check names the row that did
test('no request that was refused or answered to everyone has changed anything', async () => {
  expect(await findChanges()).toEqual([]);
});

/** Calls that replace or end something come after those that need it; the session's own end is the last. */
const isEnding = ({ row }: RowedLine) => row.isLast === true;
const isReplacing = ({ row }: RowedLine) => row.isLate === true;
const granted = [
  ...rowed.filter((line) => !isEnding(line) && !isReplacing(line)),
  ...rowed.filter(isReplacing),
  ...rowed.filter(isEnding).toReversed(),
].filter(({ route }) => route.parts.access !== 'public');

describe.each(granted)('$name', (line) => {
  test('is open to its owner, and shows a stranger only their own data', async () => {
    const sent = await sweepGranted(setup, line);
    for (const { column, reply } of sent)
      if (column !== 'stranger') record(line.name, column, reply.answer);
    const found = { wrong: wrongOf(sent), leaks: leaksOf(setup, sent) };
    expect(found).toEqual({ wrong: [], leaks: [] });
  });
});
