/** The tables of the sign-in as TypeScript types; part of `schema`. */
import type { SignInFailureReason } from '@recodery/contract/admin/sign-in-resources';
import type { Generated } from 'kysely';
import type { DefaultTime, JsonColumn, OptionalTime, Time } from './column-types.ts';

/** What an email about an account is for. */
export type AccountMailKind = 'invitation' | 'password' | FactorMailKind;
/** What users are told about their second factors. */
export type FactorMailKind =
  | 'factor-added'
  | 'factor-removed'
  | 'factor-guessed'
  | 'recovery-code-used';
export type AccountMailStatus = 'waiting' | 'sent' | 'failed';

export interface SignInTables {
  session: {
    guid: string;
    account_guid: string;
    organisation_guid: string;
    generation: Generated<number>;
    generation_on: DefaultTime;
    generation_presented_on: OptionalTime;
    created_on: DefaultTime;
    last_active_on: DefaultTime;
    must_sign_in_again: Generated<boolean>;
    id_token: string | null;
    ended_on: OptionalTime;
    user_agent: Generated<string | null>;
    address: Generated<string | null>;
    confirmed_on: OptionalTime;
    with_factor: Generated<boolean>;
  };
  factor_failure: {
    account_guid: string;
    origin: string;
    failures: number;
    last_failed_on: Time;
  };
  authenticator_app: {
    guid: string;
    account_guid: string;
    name: string;
    sealed_secret: Buffer;
    last_step: number;
    created_on: DefaultTime;
    last_used_on: OptionalTime;
  };
  passkey: {
    guid: string;
    account_guid: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    created_on: DefaultTime;
    last_used_on: OptionalTime;
  };
  passkey_challenge: {
    challenge: string;
    owner: string;
    expires_on: Time;
  };
  recovery_code: {
    account_guid: string;
    code_hash: Buffer;
    used_on: OptionalTime;
  };
  setup_link: {
    token_hash: Buffer;
    created_on: DefaultTime;
    expires_on: Time;
    used_on: OptionalTime;
  };
  invitation: {
    account_guid: string;
    organisation_guid: string;
    invited_by: string | null;
    invited_on: Time;
  };
  account_mail: {
    guid: string;
    kind: AccountMailKind;
    account_guid: string | null;
    organisation_guid: string | null;
    email: string;
    culture: string;
    status: Generated<AccountMailStatus>;
    attempt: Generated<number>;
    due_on: DefaultTime;
    created_on: DefaultTime;
    expires_on: Time;
    sent_on: OptionalTime;
    last_error: Generated<string | null>;
    retried_on: OptionalTime;
    way: Generated<'mail-server' | 'outbox' | null>;
  };
  sso_token: {
    token_hash: Buffer;
    account_guid: string;
    browser_hash: Buffer;
    id_token: string | null;
    with_factor: Generated<boolean>;
    authenticated_on: OptionalTime;
    expires_on: Time;
    used_on: OptionalTime;
  };
  sign_in_failure: {
    guid: string;
    failed_on: DefaultTime;
    reason: SignInFailureReason;
    account_guid: string | null;
    email: string | null;
    address: string | null;
    detail: string | null;
  };
  sign_in_attempt: {
    guid: string;
    account: Buffer;
    network: Buffer;
    area: Buffer;
    attempted_on: DefaultTime;
  };
  provider_record: {
    model: string;
    id: string;
    payload: JsonColumn;
    grant_id: string | null;
    uid: string | null;
    expires_on: OptionalTime;
    consumed_on: OptionalTime;
  };
  terms_acceptance: {
    account_guid: string;
    terms_version: string;
    accepted_on: DefaultTime;
    guid: Generated<string>;
  };
  own_setting: {
    name: string;
    value: JsonColumn;
    changed_on: DefaultTime;
  };
  terms_version: {
    guid: string;
    version: string;
    articles: JsonColumn;
    texts: JsonColumn;
    asks_again: boolean;
    created_on: DefaultTime;
    published_on: OptionalTime;
  };
}
