-- Second factors of users who sign in at the embedded provider. Secrets of authenticator apps are sealed with a key of
-- the installation, and a code is accepted once: `last_step` is the time step of the newest one that was accepted.
create table authenticator_app (
  guid uuid primary key,
  account_guid uuid not null references account on delete cascade,
  name text not null,
  sealed_secret bytea not null,
  last_step bigint not null,
  created_on timestamptz not null default now(),
  last_used_on timestamptz
);
create index authenticator_app_account on authenticator_app (account_guid);

-- A passkey signs in without a password. `counter` is what the authenticator has counted; a lower one reveals a copy.
create table passkey (
  guid uuid primary key,
  account_guid uuid not null references account on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_on timestamptz not null default now(),
  last_used_on timestamptz
);
create index passkey_account on passkey (account_guid);

-- What an authenticator must sign next. `owner` is the sign-in or the session that asked for it.
create table passkey_challenge (
  challenge text primary key,
  owner text not null,
  expires_on timestamptz not null
);
create index passkey_challenge_expires on passkey_challenge (expires_on);

-- For users who have lost their factors. Each code has 80 random bits and works once; only its hash is stored.
create table recovery_code (
  account_guid uuid not null references account on delete cascade,
  code_hash bytea not null,
  used_on timestamptz,
  primary key (account_guid, code_hash)
);

-- When the user of a session last entered the password: changes to second factors ask for it again.
alter table session add column confirmed_on timestamptz;

-- Users are told by email when a factor was added or removed, or a recovery code was used.
alter table account_mail drop constraint account_mail_kind_check;
alter table account_mail drop constraint account_mail_check;
alter table account_mail add check
  (kind in ('invitation', 'password', 'factor-added', 'factor-removed', 'recovery-code-used'));
alter table account_mail add check ((kind = 'invitation') = (organisation_guid is not null));
alter table account_mail add check ((kind = 'password') = (account_guid is null));
