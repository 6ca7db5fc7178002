/** Our side of OpenID Connect: sends browsers to the provider, embedded or not, and believes what it answers. */
import * as client from 'openid-client';
import type { ProviderIdentity } from './provider/accounts.ts';

/** The provider that this installation asks. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client. */
  readonly clientSecret: string | null;
  /** How the provider is reached; by default over the network. */
  readonly fetch?: client.CustomFetch;
}

/** Who has signed in at the provider, and the id token that will end the sign-in there. */
export interface SignedIn extends ProviderIdentity {
  readonly idToken: string;
}

/** What a sign-in hands from its start to its return. */
export interface SignInProof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcClient {
  /** The provider's address to which the browser goes. `language` is a language tag, or null. */
  authorizationUrl(proof: SignInProof, language: string | null): Promise<string>;
  /** Trades the code in the address to which the provider sent the browser. Throws when anything does not fit. */
  finish(returnUrl: URL, proof: SignInProof): Promise<SignedIn>;
  /** Where the browser ends its sign-in at the provider, or null when the provider has no such place. */
  signOutUrl(idToken: string | null): Promise<string | null>;
}

/** Makes the client. The provider is asked for its particulars at the first need, so that it may start after us. */
export function createOidcClient(settings: OidcSettings, publicUrl: string): OidcClient {
  const redirectUri = `${publicUrl}/sso/callback`;
  let known: Promise<client.Configuration> | null = null;

  const getConfiguration = (): Promise<client.Configuration> => {
    if (known === null) {
      const asked = discover(settings);
      known = asked;
      // A failure is not kept: the next sign-in asks again.
      asked.catch(() => {
        known = null;
      });
    }
    return known;
  };

  return {
    async authorizationUrl(proof, language) {
      const url = client.buildAuthorizationUrl(await getConfiguration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
        ...(language === null ? {} : { ui_locales: language }),
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

function discover(settings: OidcSettings): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const isPlain = issuer.startsWith('http:');
  return client.discovery(
    new URL(issuer),
    clientId,
    {},
    clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      // A provider without TLS is on this machine or network by the operator's own word.
      execute: isPlain ? [client.allowInsecureRequests] : [],
      ...(settings.fetch === undefined ? {} : { [client.customFetch]: settings.fetch }),
    },
  );
}

/** Trades the code for the id token, and checks both against what the sign-in began with. */
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
  // Some providers tell the address only when they are asked for it.
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
  };
}
