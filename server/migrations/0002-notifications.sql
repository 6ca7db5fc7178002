-- What tells of finished operations: a notification each, and a mail with its link where one was asked for.

-- Written in the transaction that ends the operation, whose guid it bears: so there is exactly one.
-- Names and serial numbers are copies: what was said stays said, whoever owns the device later.
create table notification (
  guid uuid primary key,
  sender_organisation_guid uuid not null references organisation on delete cascade,
  sender_account_guid uuid references account on delete set null,
  sender_name text not null,
  -- who owned the slave when the operation ended; set only where the result is not private
  receiver_organisation_guid uuid references organisation on delete set null,
  -- the slave's workshop, where anything was sent to it
  receiver_name text,
  operation_type text not null,
  family text not null check (family in ('kessv2', 'ktag', 'kess3')),
  slot_guid uuid not null,
  is_utility boolean not null,
  -- milliseconds, as all times on the wire: a page of the list begins exactly where the last one ended
  completed_on timestamptz(3) not null,
  is_successful boolean not null,
  file_name text not null,
  slave_serial_number text,
  -- what there is to download: one file, or all components of the slot
  target text check (target in ('file', 'components')),
  target_file_guid uuid,
  target_file_name text,
  error_name text,
  error_detail text,
  is_private boolean not null default true,
  note text,
  -- the sender has taken back what he shared: the mail's link and the receiver's download
  revoked_on timestamptz,
  sender_notified_on timestamptz,
  sender_interacted_on timestamptz,
  receiver_notified_on timestamptz,
  receiver_interacted_on timestamptz
);
-- One index for each way in: a page of the list costs the same however many rows there are.
create index notification_sent
  on notification (sender_organisation_guid, sender_account_guid, completed_on desc, guid desc);
create index notification_received
  on notification (receiver_organisation_guid, completed_on desc, guid desc)
  where receiver_organisation_guid is not null;
create index notification_shared_file
  on notification (target_file_guid)
  where receiver_organisation_guid is not null;

-- The outbox: inserted with its notification, claimed like an operation. `due_on` is the lease as well: a claim moves
-- it ahead, and whoever dies meanwhile leaves the mail due again.
create table mail (
  guid uuid primary key references notification on delete cascade,
  organisation_guid uuid not null references organisation on delete cascade,
  email text not null,
  -- the language that it is written in
  culture text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'revoked')),
  -- why it failed: `limit` too many that day, `refused` by the mail server, `undeliverable` for a whole day
  failure text check (failure in ('limit', 'refused', 'undeliverable')),
  attempt integer not null default 0,
  last_error text,
  due_on timestamptz not null default now(),
  created_on timestamptz not null default now(),
  sent_on timestamptz,
  -- the link: its token is derived under this key and never stored, only its hash
  share_key_id integer not null,
  token_hash bytea not null unique,
  expires_on timestamptz not null,
  first_download_on timestamptz
);
create index mail_due on mail (due_on) where status = 'waiting';
create index mail_organisation on mail (organisation_guid, created_on);
