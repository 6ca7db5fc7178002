/** Sends the requests of a row: every wrong caller, with each GUID in each place. */
import { encodingApiPrefix, encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { sessionHeader } from '@recodery/contract/headers';
import {
  families,
  type Family,
  findWorkflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import { routes } from '@recodery/contract/routes';
import type { Route } from '@recodery/contract/api';
import { isGuid } from '../../src/config/guids.ts';
import { rightsColumns } from '../../src/organisations/organisations.ts';
import { type Ask, leavesOf, type Reply, requestDifferences, sendAsk, withValue } from './ask.ts';
import { adminRows } from './admin-rows.ts';
import { expectedAnswer, grantedAnswer } from './expected.ts';
import { encodingApiRows, pageRows, preflightRows, repairRows } from './family-rows.ts';
import { portalRows } from './portal-rows.ts';
import {
  type Column,
  columns,
  type ItemKind,
  kindsOf,
  type Own,
  type Right,
  type Row,
  slotKinds,
} from './rows.ts';
import { asProgram, asUser, type Credentials, type TwoOrganisations } from './two-organisations.ts';

/** A route with its row. */
interface Line {
  readonly name: string;
  readonly route: Route;
  readonly prefix: string;
  readonly row: Row | undefined;
}
export type RowedLine = Line & { readonly row: Row };

const rows: Readonly<Record<string, Row>> = {
  ...portalRows,
  ...adminRows,
  ...pageRows,
  ...preflightRows,
  ...repairRows,
};

/** Every route of the contract, whether or not it has a row. */
export const lines: readonly Line[] = [
  ...[...routes].map(([name, route]) => ({ name, route, prefix: '', row: rows[name] })),
  ...[...encodingApiRoutes].map(([name, route]) => ({
    name: `Encoding API, ${name}`,
    route,
    prefix: encodingApiPrefix,
    row: encodingApiRows[name],
  })),
];

/** Rows whose route does not exist. */
export const orphans: readonly string[] = [
  ...Object.keys(rows).filter((name) => !routes.has(name)),
  ...Object.keys(encodingApiRows).filter((name) => !encodingApiRoutes.has(name)),
];

/** A request that was sent, and its response. */
export interface Sent {
  readonly column: Column;
  /** Who called, and what the request named. */
  readonly words: string;
  readonly expected: string;
  readonly reply: Reply;
}

/** The data of an owner with the session of the caller. */
export function ownAs(owned: TwoOrganisations['owner'], credentials: Credentials): Own {
  return { ...owned, sessionId: credentials[sessionHeader] ?? '' };
}

/** `npm run release-check` and the audit set the variable. */
export const isLong = process.env['RECODERY_LONG_TESTS'] === 'on';

/**
 * In each run, a row tries only some of what the same code refuses for all rows; the next row tries the next ones, so that
 * each of them is tried with many rows.
 */
function someOf<T>(all: readonly T[], { name }: Line, count: number): readonly T[] {
  if (isLong) return all;
  const first = lines.findIndex((line) => line.name === name) * count;
  return all.filter((_, at) => (at - (first % all.length) + all.length) % all.length < count);
}

/** A request of a caller, and the place in it that names something of the owner; null for none. */
interface Way {
  readonly place: string | null;
  readonly ask: Ask;
  /** Not the row's first request: the row's exceptions for the first request do not apply. */
  readonly isOther?: boolean;
}

interface Wrong {
  readonly column: Column;
  readonly who: string;
  readonly credentials: Credentials;
  readonly ways: readonly Way[];
}

/** The owner's requests as they are: the first place represents all. */
function wholeWays(setup: TwoOrganisations, row: Row): readonly Way[] {
  const own = ownAs(setup.owner, asUser(setup.anna));
  const first = row.ask(own);
  const [place = null] = requestDifferences(
    first,
    row.ask(ownAs(setup.stranger, asUser(setup.mia))),
  );
  const others = row.others?.(own) ?? [];
  return [{ place, ask: first }, ...others.map((ask) => ({ place, ask, isOther: true }))];
}

/** The owner's requests, and the caller's own request with each of the owner's values in turn. */
function foreignWays(setup: TwoOrganisations, row: Row, credentials: Credentials): readonly Way[] {
  const theirs = row.ask(ownAs(setup.owner, asUser(setup.anna)));
  const own = row.ask(ownAs(setup.stranger, credentials));
  const values = leavesOf(theirs);
  const places = requestDifferences(theirs, own);
  const single = places.map((place) => ({ place, ask: withValue(own, place, values.get(place)) }));
  return [...wholeWays(setup, row), ...(places.length > 1 ? single : [])];
}

/** The kinds of GUIDs that a row tries: slots of some other families, some other kinds, and GUIDs of nothing. */
function triedKinds(owner: TwoOrganisations['owner'], line: Line): readonly [ItemKind, string][] {
  const kinds = Object.entries(kindsOf(owner)) as [ItemKind, string][];
  const ofNothing: readonly ItemKind[] = ['unknown', 'malformed'];
  const [slots, nothing] = [slotKinds as readonly ItemKind[], ofNothing].map((names) =>
    kinds.filter(([kind]) => names.includes(kind)),
  );
  const others = kinds.filter((one) => !slots?.includes(one) && !nothing?.includes(one));
  return [
    ...someOf(slots ?? [], line, 1),
    ...someOf(others, line, 2),
    ...someOf(nothing ?? [], line, 1),
  ];
}

/** The owner's request with GUIDs of other kinds in each place. */
function misplacedWays({ owner, anna }: TwoOrganisations, line: RowedLine): readonly Way[] {
  const { row } = line;
  const own = row.ask(ownAs(owner, asUser(anna)));
  const kinds = triedKinds(owner, line);
  const misfits = row.misfits?.(ownAs(owner, asUser(anna))) ?? [];
  const ofOtherKinds = [...leavesOf(own)]
    .filter(([, value]) => typeof value === 'string' && isGuid(value))
    .flatMap(([place, value]) =>
      kinds
        .filter(([kind, other]) => other !== value && row.accepts?.includes(kind) !== true)
        .map(([kind, other]) => ({
          place: kind === 'malformed' && !place.startsWith('path.') ? kind : `${place} ${kind}`,
          ask: withValue(own, place, other),
        })),
    );
  return [...ofOtherKinds, ...misfits.map((ask) => ({ place: 'of another component', ask }))];
}

/** The callers of the columns that need no change of the organisation. */
function wrongCallers(setup: TwoOrganisations, line: RowedLine): readonly Wrong[] {
  const { route, row } = line;
  const whole = wholeWays(setup, row);
  const one = whole.slice(0, 1);
  const many = (column: Column, all: Readonly<Record<string, Credentials>>): readonly Wrong[] =>
    someOf(Object.entries(all), line, 1).map(([who, credentials]) => {
      return { column, who, credentials, ways: one };
    });
  const by = (column: Column, credentials: Credentials, ways = whole): Wrong => ({
    column,
    who: '',
    credentials,
    ways,
  });
  const abroad = (column: Column, credentials: Credentials): Wrong =>
    by(column, credentials, foreignWays(setup, row, credentials));
  const isForClients = route.parts.access === 'client';
  return [
    by('none', {}),
    ...many('deadSession', setup.deadSessions),
    by('signInAgain', setup.toSignInAgain, one),
    ...many('deadToken', setup.deadTokens),
    by('outside', asProgram(setup.outside), one),
    by('withoutAccess', asUser(setup.withoutAccess)),
    by('plainUser', asUser(setup.plainUser)),
    by('colleague', asUser(setup.colleague)),
    abroad('otherCode', asUser(setup.otherCode)),
    abroad('stranger', asUser(setup.mia)),
    abroad('strangersClient', asProgram(setup.stranger.program)),
    by('otherParty', asUser(row.by === 'receiver' ? setup.anna : setup.luca)),
    ...(isForClients ? [] : [by('ownClient', asProgram(setup.owner.program))]),
    by('otherClient', asProgram(setup.otherProgram)),
    by('misplaced', ownerOf(setup, line), misplacedWays(setup, line)),
  ];
}

/** Sends every request that must be refused, or that changes nothing and may return nothing of the owner. */
export async function sweepRow(setup: TwoOrganisations, line: RowedLine): Promise<readonly Sent[]> {
  const { route } = line;
  const sent: Sent[] = [];
  // one after another: some calls of an organisation wait for each other, and are refused if that takes too long
  for (const { column, who, credentials, ways } of wrongCallers(setup, line)) {
    let isFirst = true;
    for (const { place, ask, isOther } of ways) {
      const row = isOther === true ? { ...line.row, answers: {} } : line.row;
      const expected = expectedAnswer({ route, row, column, place });
      if (expected === null) continue;
      const words = [columns[column], who, place ?? ''].filter(Boolean).join(', ');
      // HEAD runs the same code: once is enough for each caller. In each run, one caller tries it.
      const hasHead = isFirst && (isLong || column === 'stranger');
      const reply = await sendAsk(setup.app, line, ask, credentials, hasHead);
      isFirst = false;
      sent.push({ column, words, expected, reply });
    }
  }
  return sent;
}

type Rights = Partial<Record<Right, boolean>> & { readonly families?: Family[] };

/** Changes the rights of the owner's organisation while `use` runs. */
async function withRights<T>(
  { portal, owner }: TwoOrganisations,
  rights: Rights,
  use: () => Promise<T>,
) {
  const { db } = portal.platform;
  const one = db.selectFrom('organisation').where('guid', '=', owner.organisation);
  const before = await one.select(rightsColumns).executeTakeFirstOrThrow();
  const set = (values: Rights) =>
    db.updateTable('organisation').set(values).where('guid', '=', owner.organisation).execute();
  await set(rights);
  return use().finally(() => set(before));
}

/** Sends the owner's requests while the organisation lacks a right or the subscription. */
export async function sweepRights(
  setup: TwoOrganisations,
  line: RowedLine,
): Promise<readonly Sent[]> {
  const { route, row } = line;
  const { work } = row;
  if (work === undefined) return [];
  const credentials = ownerOf(setup, line);
  const ask = row.ask(ownAs(setup.owner, credentials));
  const others = families.filter((family) => family !== work.family);
  const workflow = findWorkflow(work.family, { isUtility: false });
  const isRightNeeded = workflow !== null && workflowOf(workflow).right !== null;
  const tries: readonly { column: Column; rights: Rights; ask: Ask }[] = [
    ...(isRightNeeded
      ? [{ column: 'withoutRight' as const, rights: { may_recod: false }, ask }]
      : []),
    { column: 'withoutFamily', rights: { families: others }, ask },
    ...(work.switches ?? []).map((one) => ({
      column: 'withoutRight' as const,
      rights: { [one.right]: false },
      ask: one.ask(ask),
    })),
  ];
  const sent: Sent[] = [];
  for (const { column, rights, ask: tried } of tries) {
    const expected = expectedAnswer({ route, row, column, place: null }) ?? '';
    const send = () => sendAsk(setup.app, line, tried, credentials);
    const words = `${columns[column]}, ${JSON.stringify(rights)}`;
    sent.push({ column, words, expected, reply: await withRights(setup, rights, send) });
  }
  return sent;
}

/**
 * Sends the requests of permitted callers: the owner, its client application, and the stranger for their own objects.
 */
export async function sweepGranted(
  setup: TwoOrganisations,
  line: RowedLine,
): Promise<readonly Sent[]> {
  const { route, row } = line;
  const { owner, stranger } = setup;
  const isForClients = route.parts.access === 'client';
  const strangers = isForClients ? asProgram(stranger.program) : asUser(setup.mia);
  const programs = asProgram(owner.program);
  const callers = [
    { column: 'owner', owned: owner, credentials: ownerOf(setup, line), isApt: true },
    {
      column: 'ownClient',
      owned: owner,
      credentials: programs,
      isApt: !isForClients && row.isLast !== true,
    },
    { column: 'stranger', owned: stranger, credentials: strangers, isApt: row.by === undefined },
  ] as const;
  const sent: Sent[] = [];
  for (const { column, owned, credentials, isApt } of callers) {
    const isRefused =
      column === 'ownClient' && expectedAnswer({ route, row, column, place: null }) !== null;
    if (!isApt || isRefused) continue;
    const asks = [
      row.ask(ownAs(owned, credentials)),
      ...(row.others?.(ownAs(owned, credentials)) ?? []),
    ];
    for (const ask of asks) {
      const reply = await sendAsk(setup.app, line, ask, credentials);
      sent.push({
        column,
        words: `${columns[column]}, own data`,
        expected: row.granted ?? grantedAnswer(route),
        reply,
      });
    }
  }
  return sent;
}

/** The callers that may make the calls of a row. */
function ownerOf(setup: TwoOrganisations, { route, row }: RowedLine): Credentials {
  if (row.by === 'receiver') return asUser(setup.luca);
  if (row.by === 'operator') return asUser(setup.olga);
  return route.parts.access === 'client' ? asProgram(setup.owner.program) : asUser(setup.anna);
}
