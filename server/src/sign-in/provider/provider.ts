/** The embedded OpenID Connect provider: for the demo, and for organisations without an external one. */
import { createPrivateKey, hkdfSync } from 'node:crypto';
import { signInCallbackPath } from '@recodery/contract/sign-in-paths';
import {
  type ClientMetadata,
  type Configuration,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { usualRetryAfter } from '../../http/problem.ts';
import { type Localization, negotiateLanguage } from '../../texts/texts.ts';
import { findAccount } from '../../organisations/accounts.ts';
import { cookieName } from '../cookies.ts';
import type { OidcSettings } from '../oidc.ts';
import { errorPage, signOutPage } from './provider-pages.ts';
import { createRecordStore } from './records.ts';

/** The path of the provider; its issuer is the public URL with this path. */
export const providerPath = '/idp';

const clientId = 'recodery';
const tenMinutes = 600;
const oneHour = 3600;
const oneDay = 86_400;

export interface ProviderDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  /** The origin that browsers use, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Log;
}

/** The signing key, created from 32 secret bytes, which are a complete Ed25519 private key (RFC 8032). */
function signingKey(seed: Buffer, keyId: number) {
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([header, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA', kid: `recodery-${keyId}` };
}

function derive(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `recodery provider ${purpose}`, 32));
}

/**
 * Ends the provider's session without confirmation when the request contains that session's id token. Never shows the
 * provider's form that submits itself with an inline script: the content policy would block it.
 */
async function endWithoutQuestion(
  context: KoaContextWithOIDC,
  next: () => Promise<void>,
  publicUrl: string,
): Promise<void> {
  await next();
  if (context.oidc?.route !== 'end_session' || context.status !== 200) return;
  const { session, entities, params } = context.oidc;
  const isSignedIn = session?.accountId !== undefined;
  const isOwnToken = entities.IdTokenHint?.payload['sub'] === session?.accountId;
  if (isSignedIn && !isOwnToken) return;
  if (isSignedIn) await session?.destroy();
  const wanted = params?.['post_logout_redirect_uri'];
  context.status = 303;
  context.redirect(typeof wanted === 'string' ? wanted : `${publicUrl}/`);
}

/** Grants our client everything it requests; there is no other client that would need consent. */
async function grantEverything(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (known !== undefined) return known;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

function clientOf(publicUrl: string, clientSecret: string): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${publicUrl}${signInCallbackPath}`],
    post_logout_redirect_uris: [`${publicUrl}/`],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: 'EdDSA',
  };
}

/** The language for a page that the provider itself shows. */
function languageOf(context: KoaContextWithOIDC): Localization {
  const header = context.get('accept-language');
  return negotiateLanguage(header === '' ? undefined : header);
}

/** The provider's claims about an account. */
async function findProviderAccount(db: Db, subject: string) {
  const account = await findAccount(db, subject);
  if (account === null) return undefined;
  return {
    accountId: account.guid,
    claims: async () => ({
      sub: account.guid,
      email: account.email,
      // The operator has entered the address.
      email_verified: true,
      name: account.displayName,
      locale: account.culture ?? undefined,
    }),
  };
}

/** As {@link cookieName}, for cookies of one path, which cannot have that prefix. */
function pathCookieName(name: string, publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Secure-${name}` : name;
}

/** Seconds. */
const ttl = {
  AccessToken: tenMinutes,
  AuthorizationCode: 60,
  Grant: oneDay,
  IdToken: oneDay,
  Interaction: oneHour,
  // Short: several tabs can sign in at once, but it must not revive a session of ours that ended by inactivity.
  Session: tenMinutes,
};

function featuresOf({ publicUrl }: ProviderDeps): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: async (context, form) => {
        context.body = signOutPage(languageOf(context), form);
      },
      postLogoutSuccessSource: async (context) => {
        context.redirect(`${publicUrl}/`);
      },
    },
  };
}

/**
 * Creates the provider, and returns it with what our client needs to know about it. All its state is in the database, so
 * that any portal can continue a sign-in.
 */
export async function createProvider(
  deps: ProviderDeps,
): Promise<{ readonly provider: Provider; readonly client: OidcSettings }> {
  const { db, publicUrl } = deps;
  const { keyId, key } = await deps.secrets.getCurrentKey('provider');
  const issuer = publicUrl + providerPath;
  const clientSecret = derive(key, 'client secret').toString('base64url');
  const provider = new Provider(issuer, {
    adapter: (model) => createRecordStore(db, model),
    clients: [clientOf(publicUrl, clientSecret)],
    jwks: { keys: [signingKey(derive(key, 'signing key'), keyId)] },
    cookies: {
      keys: [derive(key, 'cookies').toString('base64url')],
      names: {
        session: cookieName('recodery-idp-session', publicUrl),
        interaction: pathCookieName('recodery-idp-interaction', publicUrl),
        resume: pathCookieName('recodery-idp-resume', publicUrl),
      },
      long: { httpOnly: true, sameSite: 'lax', path: '/' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    responseTypes: ['code'],
    scopes: ['openid', 'email', 'profile'],
    claims: {
      openid: ['sub', 'auth_time', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'locale'],
    },
    // The client asks once, at the token endpoint; the claims are in the id token.
    conformIdTokenClaims: false,
    // that of our own client, the only one
    clientAuthMethods: ['client_secret_basic'],
    features: featuresOf(deps),
    findAccount: (_context, subject) => findProviderAccount(db, subject),
    interactions: { url: (_context, { uid }) => `${providerPath}/interaction/${uid}` },
    loadExistingGrant: grantEverything,
    pkce: { required: () => true },
    renderError: async (context, { error }) => {
      context.type = 'html';
      if (context.status === 503) context.set('retry-after', String(usualRetryAfter));
      context.body = errorPage(languageOf(context), error);
    },
    ttl,
  });
  // `provider-routes` sets the headers with the browser's host and scheme, from the configuration.
  provider.proxy = true;
  // The page that it sends does not contain the cause.
  provider.on('server_error', (_context, error) => {
    deps.log.error({ error }, 'sign-in provider failed');
  });
  provider.use((context, next) =>
    endWithoutQuestion(context as KoaContextWithOIDC, next, publicUrl),
  );
  return { provider, client: { issuer, clientId, clientSecret } };
}
