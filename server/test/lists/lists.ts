/** Every list of the product, as a user, a program or the operator reads it, on tables that `fill` has filled. */
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import { listAudit } from '@recodery/server/audit/read-audit';
import { authenticateClient, issueToken } from '@recodery/server/clients/access-tokens';
import { listOwnActive, listOwnRecent } from '@recodery/server/operations/operations';
import { readLogPage } from '@recodery/server/operations-log/operations-log';
import { mintOrganisationId } from '@recodery/server/organisations/caller';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { describeSession } from '@recodery/server/sign-in/describe-session';
import { createSession } from '@recodery/server/sign-in/sessions';
import { type Filled, shown } from './fill.ts';

/** Reads a list once; returns how many lines it has. */
export type ReadList = () => Promise<number>;

/** A portal on filled tables. */
export interface OpenLists {
  readonly lists: Readonly<Record<string, ReadList>>;
  stop(): Promise<void>;
}

/** Starts a portal and signs in a user and a client application. */
export async function openLists(platform: Platform, filled: Filled): Promise<OpenLists> {
  const { db } = platform;
  const session = await createSession(db, { accountGuid: filled.accountGuid, idToken: null });
  if (session === null) throw new Error('there is no session');
  const { sessionID } = await describeSession(platform, session);
  const { clientGuid, secretKey } = filled.client;
  const ask = { clientApplicationGUID: clientGuid, secretKey };
  const { accessToken } = await issueToken(db, ask, '127.0.0.1');
  const portal = await startPortal(platform, 0);
  const get = (path: string, headers: Readonly<Record<string, string>>) => async () => {
    const answer = await fetch(`http://127.0.0.1:${portal.port}${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return ((await answer.json()) as readonly unknown[]).length;
  };
  const asUser = (path: string) => get(path, { [sessionHeader]: sessionID });
  const asClient = (path: string) => get(path, { [accessTokenHeader]: accessToken });
  const { operation, slot } = filled.middle;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  return {
    lists: {
      'the last operations': asUser('/api/operations?count=50'),
      'older operations': asUser(`/api/operations?count=50&before=${operation}`),
      'the newest notifications': asUser('/api/async-operation-notifications/?count=20'),
      'older notifications': asUser(
        `/api/async-operation-notifications/?count=20&to=${daysAgo(14.5)}`,
      ),
      'the oldest notifications': asUser(
        `/api/async-operation-notifications/?count=20&to=${daysAgo(29 * (1 - 30 / filled.count))}`,
      ),
      'the notifications of a program': asClient('/api/async-operation-notifications/?count=20'),
      'the deliveries to a receiver': asUser(`/api/webhooks/${filled.endpointGuid}/deliveries`),
      'the client applications': asUser('/api/clients'),
      'the webhooks': asUser('/api/webhooks'),
      'the slots of a family': asClient('/encoding-api/api/kess3/file-slots'),
      'the slots of a family with few': asClient('/encoding-api/api/ktag/file-slots'),
      'the slots with a code': asClient(
        '/encoding-api/api/kess3/file-slots?ownerCustomerCode=RARE',
      ),
      'older slots': asClient(`/encoding-api/api/kess3/file-slots?before=${slot}`),
      'the client of a token': async () =>
        [await authenticateClient(db, accessToken, '127.0.0.1')].length,
      ...directLists(platform, filled),
    },
    stop: () => portal.stop(),
  };
}

/** What is read without a separate response: a stream's beginning, a page of the log, and the operator's command. */
function directLists(
  { db }: Platform,
  { organisation, accountGuid, otherOrganisation }: Filled,
): Readonly<Record<string, ReadList>> {
  const organisationId = mintOrganisationId(organisation);
  const anna = { organisationId, accountGuid, clientGuid: null };
  const page = (family: 'kess3' | 'ktag') => async () =>
    (await readLogPage(db, { organisationId, family }, null, 40)).entries.length;
  const audit = (filter: Parameters<typeof listAudit>[1]) => async () => {
    let lines = 0;
    for await (const _entry of listAudit(db, filter)) {
      lines += 1;
      if (lines === shown) break;
    }
    return lines;
  };
  return {
    'a user’s running operations': async () => (await listOwnActive(db, anna)).length,
    'what has just finished': async () => (await listOwnRecent(db, anna, 60)).length,
    'the operations log': page('kess3'),
    'the operations log of a family with few': page('ktag'),
    'the audit trail of an actor': audit({ actor: 'Rare@demo.test' }),
    'the audit trail of an organisation': audit({ organisation: otherOrganisation }),
    'the audit trail of some days': audit({
      from: new Date(Date.now() - 40.5 * 86_400_000),
      to: new Date(Date.now() - 0.5 * 86_400_000),
    }),
  };
}
