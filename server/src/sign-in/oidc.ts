/**
 * The OpenID Connect client: sends browsers to the provider, embedded or external, and validates the provider's
 * responses.
 */
import { signInCallbackPath } from '@recodery/contract/sign-in-paths';
import * as client from 'openid-client';
import type { ProviderIdentity } from '../organisations/accounts.ts';

/** The provider that this installation uses. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client. */
  readonly clientSecret: string | null;
  /** How the provider is reached; by default over the network. */
  readonly fetch?: client.CustomFetch;
}

/** The user who signed in at the provider, and the id token that will end the sign-in there. */
export interface SignedIn extends ProviderIdentity {
  readonly idToken: string;
  /** When they authenticated there, which can be before this sign-in. */
  readonly authenticatedOn: Date;
  /** Whether the provider asked for more than one factor. */
  readonly isWithFactor: boolean;
}

/** The value of `amr` (RFC 8176) after a second factor or a passkey. */
export const severalFactors = 'mfa';

/** The values that a sign-in keeps from its start to its callback. */
export interface SignInProof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcClient {
  /**
   * The provider's URL to which the browser is redirected. `language` is a language tag, or null; `isAgain`: users who are
   * signed in at the provider must prove again who they are.
   */
  authorizationUrl(proof: SignInProof, language: string | null, isAgain: boolean): Promise<string>;
  /** Exchanges the code in the callback URL. Throws when a check fails. */
  finish(returnUrl: URL, proof: SignInProof): Promise<SignedIn>;
  /** The URL where the browser signs out at the provider, or null when the provider has none. */
  signOutUrl(idToken: string | null): Promise<string | null>;
}

/** Creates the client. The provider's metadata is fetched on first use, so that the provider can start after us. */
export function createOidcClient(settings: OidcSettings, publicUrl: string): OidcClient {
  const redirectUri = `${publicUrl}${signInCallbackPath}`;
  let known: Promise<client.Configuration> | null = null;

  const getConfiguration = (): Promise<client.Configuration> => {
    if (known === null) {
      const asked = discover(settings);
      known = asked;
      // A failure is not cached: the next sign-in tries again.
      asked.catch(() => {
        known = null;
      });
    }
    return known;
  };

  return {
    async authorizationUrl(proof, language, isAgain) {
      const url = client.buildAuthorizationUrl(await getConfiguration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
        ...(language === null ? {} : { ui_locales: language }),
        ...(isAgain ? { prompt: 'login' } : {}),
      });
      return url.href;
    },
    finish: async (returnUrl, proof) => finish(await getConfiguration(), returnUrl, proof),
    async signOutUrl(idToken) {
      if (idToken === null) return null;
      const configuration = await getConfiguration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const url = client.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/`,
      });
      return url.href;
    },
  };
}

/** Fetches the provider's metadata and checks that it belongs to the issuer. */
export function discover(settings: OidcSettings): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const isPlain = issuer.startsWith('http:');
  return client.discovery(
    new URL(issuer),
    clientId,
    {},
    clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      execute: [
        // By default, only the connection to the provider proves an id token, not its signature.
        client.enableNonRepudiationChecks,
        // The operator has explicitly configured a provider without TLS, on this machine or network.
        ...(isPlain ? [client.allowInsecureRequests] : []),
      ],
      ...(settings.fetch === undefined ? {} : { [client.customFetch]: settings.fetch }),
    },
  );
}

/** Exchanges the code for the id token, and checks both against the values from the start of the sign-in. */
async function finish(
  configuration: client.Configuration,
  returnUrl: URL,
  proof: SignInProof,
): Promise<SignedIn> {
  const tokens = await client.authorizationCodeGrant(configuration, returnUrl, {
    expectedState: proof.state,
    expectedNonce: proof.nonce,
    pkceCodeVerifier: proof.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined)
    throw new Error('the provider sent no id token');
  // Some providers return the email address only from the userinfo endpoint.
  const asksAgain =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const { email, email_verified: isVerified } = asksAgain
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isVerified === true,
    idToken: tokens.id_token,
    // not every provider says when; a clock that is ahead does not make it later
    authenticatedOn: new Date(Math.min(claims.auth_time ?? claims.iat, claims.iat) * 1000),
    isWithFactor: Array.isArray(claims['amr']) && claims['amr'].includes(severalFactors),
  };
}
