-- The last failed sign-ins for operators: of each reason, the newest ones, for 30 days.

create table sign_in_failure (
  guid uuid primary key,
  failed_on timestamptz not null default now(),
  reason text not null,
  -- without a reference: an unknown account must not take less time than a known one
  account_guid uuid,
  -- as an external provider has reported it; what users type can be a password, and is never stored
  email text,
  address text,
  -- what the provider answered
  detail text
);
create index sign_in_failure_reason on sign_in_failure (reason, guid);
