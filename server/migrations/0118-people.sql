-- Managers administer the people of their organisation. Someone whom they suspend can no longer work for it, but still
-- for others. `email_verified_on`: when the user followed a link that only the owner of the address has received.
alter table membership add column is_suspended boolean not null default false;
alter table account add column email_verified_on timestamptz;

-- Emails about accounts: invitations, and links for a forgotten password. Links are signed when an email is sent, and not
-- stored. A request for a new password contains the address as typed: only the worker finds out whether an account has
-- it, so that the response takes as long without one.
create table account_mail (
  guid uuid primary key,
  kind text not null check (kind in ('invitation', 'password')),
  account_guid uuid references account on delete cascade,
  organisation_guid uuid references organisation on delete cascade,
  email text not null,
  culture text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempt int not null default 0,
  due_on timestamptz not null default now(),
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  sent_on timestamptz,
  last_error text,
  check ((kind = 'invitation') = (account_guid is not null and organisation_guid is not null))
);
create index account_mail_due on account_mail (due_on) where status = 'waiting';
create index account_mail_account on account_mail (account_guid);
create index account_mail_organisation on account_mail (organisation_guid);
create index account_mail_email on account_mail (lower(email collate "C"), created_on);
