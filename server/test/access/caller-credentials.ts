/** What proves who a caller is: session IDs, access tokens, and the secret of a client application. */
import { randomBytes } from 'node:crypto';
import { requestAccessToken } from '@recodery/contract/features/clients';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { newGuid } from '../../src/config/guids.ts';
import { verifySessionId, writeSessionId } from '../../src/sign-in/session-id.ts';
import type { Client } from '../fixtures/client.ts';
import type { Credential, Ending } from './credential.ts';
import type { TwoOrganisations } from './two-organisations.ts';

/** A change to a table row, and the change that undoes it. */
function changeOf(
  { portal }: TwoOrganisations,
  where: { readonly table: string; readonly column: string; readonly guid: string },
): (end: string, undo: string, answer?: string) => Ending {
  const { db } = portal.platform;
  const { table, column, guid } = where;
  const set = (change: string) =>
    sql`update ${sql.table(table)} set ${sql.raw(change)} where ${sql.ref(column)} = ${guid}`.execute(
      db,
    );
  return (end, undo, answer) => ({
    end: () => set(end),
    undo: () => set(undo),
    ...(answer === undefined ? {} : { answer }),
  });
}

/** The id of a session, as the header that authenticates and as the path that names it. */
export async function createSessionCredentials(
  setup: TwoOrganisations,
  user: Client,
): Promise<readonly Credential[]> {
  const { key } = await setup.portal.platform.secrets.getCurrentKey('session');
  const value = user.sessionId;
  const reference = verifySessionId(value, key) ?? { guid: '', generation: 0 };
  const { guid, generation } = reference;
  const change = changeOf(setup, { table: 'session', column: 'guid', guid });
  const refused = ['401 API_ERROR_UNAUTHORIZED', '404 NOT_FOUND', '400 BAD_REQUEST'];
  const others = {
    'of another key': writeSessionId(reference, randomBytes(32)),
    'of a later generation': writeSessionId({ guid, generation: generation + 1 }, key),
    'of a session that does not exist': writeSessionId({ guid: newGuid(), generation }, key),
    'the GUID of the session': guid,
  };
  const common = { sources: ['wrapped_key session'], value, granted: '200', refused };
  return [
    {
      ...common,
      title: 'session ID',
      places: [],
      present: (id) => ({ url: '/api/operations', headers: { [sessionHeader]: id } }),
      others,
      endings: {
        'the session has ended': change('ended_on = now()', 'ended_on = null'),
        'its user must sign in again': change(
          'must_sign_in_again = true',
          'must_sign_in_again = false',
          '422 SIGN_IN_AGAIN',
        ),
        'its user was idle for eight hours': change(
          "last_active_on = now() - interval '8 hours'",
          'last_active_on = now()',
        ),
      },
    },
    {
      ...common,
      title: 'session ID in a path',
      places: ['sessionId'],
      present: (id) => ({
        url: `/api/auth/session/${encodeURIComponent(id)}`,
        headers: { [sessionHeader]: value },
      }),
      others: { ...others, 'of another user': setup.mia.sessionId },
    },
  ];
}

/** The access token of a client application in both of its headers, and the secret for which it gets one. */
export function createClientCredentials(setup: TwoOrganisations): readonly Credential[] {
  const { owner, stranger } = setup;
  const { guid, client, secretKey, webhookSecret } = owner.program;
  const ofClient = changeOf(setup, { table: 'client_application', column: 'guid', guid });
  const ofToken = changeOf(setup, { table: 'access_token', column: 'client_guid', guid });
  const past = (sign: string) => `expires_on = expires_on ${sign} interval '30 days'`;
  const elsewhere = "allowed_networks = '{192.0.2.0/24}'";
  const endings = {
    'the client is revoked': ofClient('revoked_on = now()', 'revoked_on = null'),
    'the client has expired': ofClient('expires_on = now()', 'expires_on = null'),
    'the client calls from another network': ofClient(
      elsewhere,
      "allowed_networks = '{}'",
      '403 IP_NOT_ALLOWED',
    ),
  };
  const headers = {
    [accessTokenHeader]: (token: string) => ({ [accessTokenHeader]: token }),
    'Authorization header': (token: string) => ({ authorization: `Bearer ${token}` }),
  };
  const tokens = Object.entries(headers).flatMap(([name, write]) =>
    ['/api/operations', '/encoding-api/api/kessv2/file-slots'].map(
      (url): Credential => ({
        title: `access token, ${name}, ${url}`,
        sources: ['access_token.token_hash'],
        places: [],
        value: client.sessionId,
        present: (token) => ({ url, headers: write(token) }),
        granted: '200',
        refused: ['401 API_ERROR_UNAUTHORIZED'],
        others: { 'the secret of the client': secretKey, 'its GUID': guid, webhookSecret },
        endings: { ...endings, 'it has expired': ofToken(past('-'), past('+')) },
      }),
    ),
  );
  return [
    ...tokens,
    {
      title: 'secret of a client application',
      sources: ['client_application.secret_hash'],
      places: ['secretKey'],
      value: secretKey,
      present: (secret) => ({
        method: 'POST',
        url: requestAccessToken.path,
        payload: { clientApplicationGUID: guid, secretKey: secret },
      }),
      granted: '200',
      refused: ['403 INVALID_CREDENTIALS', '400 BAD_REQUEST'],
      others: {
        'of a client of another organisation': stranger.program.secretKey,
        'of another client of the organisation': setup.otherProgram.secretKey,
        'its access token': client.sessionId,
        'the secret that signs its callbacks': webhookSecret,
      },
      endings,
    },
  ];
}
