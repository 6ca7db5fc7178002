-- Wrong codes of authenticator apps, by account and by where they come from: the id of a browser that the account knows,
-- or `other`. Kept longer than attempts to sign in, because a code has only six digits. A right code deletes the row.
create table factor_failure (
  account_guid uuid not null references account on delete cascade,
  origin text not null,
  failures integer not null,
  last_failed_on timestamptz not null,
  primary key (account_guid, origin)
);

-- Users are told by email when someone who knows the password guesses codes.
alter table account_mail drop constraint account_mail_kind_check;
alter table account_mail add check (kind in
  ('invitation', 'password', 'factor-added', 'factor-removed', 'factor-guessed', 'recovery-code-used'));
