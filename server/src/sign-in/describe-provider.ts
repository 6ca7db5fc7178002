/** Describes to operators where users sign in, without any secret. */
import { signInCallbackPath } from '@recodery/contract/sign-in-paths';
import type { Config } from '../config/config.ts';
import { canHavePasskeys } from './factors/passkeys.ts';
import { providerPath } from './provider/provider.ts';

/** The settings that decide it. */
export type ProviderConfig = Pick<
  Config,
  'oidc' | 'publicUrl' | 'smtpUrl' | 'needsOperatorFactor' | 'origins'
>;

/** Where users sign in. The fields of the other kind of provider are null. */
export interface DescribedProvider {
  readonly provider: 'built-in' | 'external';
  readonly source: 'environment' | 'default';
  /** The names of the settings that decide. */
  readonly variables: readonly string[];
  readonly issuer: string;
  readonly clientId: string | null;
  readonly hasSecret: boolean;
  /** By the provider's ID of the user, and at the first sign-in by a verified address; or by the address alone. */
  readonly matching: 'subject' | 'email';
  readonly hasPasskeys: boolean;
  readonly sendsPasswords: boolean;
  readonly needsFactor: boolean;
  /** The addresses to register at the provider. */
  readonly redirectAddress: string | null;
  readonly signOutAddress: string | null;
}

export function describeProvider(config: ProviderConfig): DescribedProvider {
  const { oidc, publicUrl, smtpUrl, needsOperatorFactor, origins } = config;
  const variables = origins
    .filter(({ name, source }) => name.startsWith('RECODERY_OIDC_') && source === 'environment')
    .map(({ name }) => name);
  if (oidc === null)
    return {
      provider: 'built-in',
      source: 'default',
      variables: [],
      issuer: publicUrl + providerPath,
      clientId: null,
      hasSecret: false,
      matching: 'email',
      hasPasskeys: canHavePasskeys(publicUrl),
      sendsPasswords: smtpUrl !== null,
      needsFactor: needsOperatorFactor,
      redirectAddress: null,
      signOutAddress: null,
    };
  return {
    provider: 'external',
    source: 'environment',
    variables,
    issuer: oidc.issuer,
    clientId: oidc.clientId,
    hasSecret: oidc.clientSecret !== null,
    matching: 'subject',
    hasPasskeys: false,
    sendsPasswords: false,
    needsFactor: false,
    redirectAddress: publicUrl + signInCallbackPath,
    signOutAddress: `${publicUrl}/`,
  };
}
