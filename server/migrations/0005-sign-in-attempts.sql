-- Attempts at the embedded provider's passwords, shared by all portals: counted before they are tried.

create table sign_in_attempt (
  guid uuid primary key,
  -- SHA-256 of whom it was about and of the network it came from: enough to count, too little to read
  account bytea not null,
  network bytea not null,
  attempted_on timestamptz not null default now()
);
create index sign_in_attempt_account on sign_in_attempt (account, attempted_on);
create index sign_in_attempt_network on sign_in_attempt (network, attempted_on);
