-- The first tables: who there is, what they hold, the slots with their files, and the operations that work on them.
-- Times are timestamptz and the database's own; GUIDs are UUIDv7, made by the program.

create table organisation (
  guid uuid primary key,
  customer_code text not null unique,
  name text not null,
  email text,
  culture text not null default 'en-US',
  logo bytea,
  logo_media_type text,
  may_kessv2 boolean not null default false,
  may_ktag boolean not null default false,
  may_kess3 boolean not null default false,
  may_recod boolean not null default false,
  may_utility boolean not null default false,
  may_auto_send boolean not null default false,
  may_skip_checksum boolean not null default false,
  may_debug boolean not null default false,
  created_on timestamptz not null default now()
);

create table account (
  guid uuid primary key,
  email text not null,
  display_name text not null,
  culture text,
  -- scrypt; null: this account signs in through an external provider only
  password_hash text,
  has_portal_access boolean not null default true,
  is_demo boolean not null default false,
  created_on timestamptz not null default now()
);
create unique index account_email on account (lower(email));

-- What an external provider calls the account.
create table account_subject (
  issuer text not null,
  subject text not null,
  account_guid uuid not null references account on delete cascade,
  primary key (issuer, subject)
);

-- position 0 is the customer code that is current after sign-in
create table membership (
  account_guid uuid not null references account on delete cascade,
  organisation_guid uuid not null references organisation on delete cascade,
  position integer not null default 0,
  primary key (account_guid, organisation_guid)
);

create table group_code (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  code text not null,
  unique (organisation_guid, code)
);

-- A master device's secrets stand in wrapped_key, purpose 'master:{guid}', one a key id.
create table master_device (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  group_code_guid uuid not null references group_code on delete cascade,
  family text not null check (family in ('kessv2', 'ktag', 'kess3')),
  serial_number text not null,
  current_key_id integer not null default 1,
  created_on timestamptz not null default now(),
  unique (family, serial_number)
);
create index master_device_organisation on master_device (organisation_guid, family);

create table slave_device (
  guid uuid primary key,
  master_device_guid uuid not null references master_device on delete cascade,
  -- the workshop that owns the slave; null: not known
  owner_guid uuid references organisation on delete set null,
  family text not null check (family in ('kessv2', 'ktag', 'kess3')),
  serial_number text not null,
  is_revoked boolean not null default false,
  revoked_key_ids integer[] not null default '{}',
  -- the last number given to an encoded file for this slave (field NUMB)
  last_number integer not null default 0,
  created_on timestamptz not null default now(),
  unique (family, serial_number)
);
create index slave_device_master on slave_device (master_device_guid);

-- Every export of a slave's pair key by the operator.
create table slave_key_export (
  guid uuid primary key,
  slave_device_guid uuid not null references slave_device on delete cascade,
  key_id integer not null,
  exported_on timestamptz not null default now(),
  exported_by text not null
);

-- Secrets at rest, wrapped under the installation secret: master devices, tickets, ID files, sessions, cookies, provider keys.
create table wrapped_key (
  purpose text not null,
  key_id integer not null,
  wrapped bytea not null,
  created_on timestamptz not null default now(),
  retired_on timestamptz,
  primary key (purpose, key_id)
);

create table session (
  guid uuid primary key,
  account_guid uuid not null references account on delete cascade,
  organisation_guid uuid not null references organisation on delete cascade,
  generation integer not null default 1,
  generation_on timestamptz not null default now(),
  -- when the present generation was first presented: the one before dies 60 s later
  generation_presented_on timestamptz,
  created_on timestamptz not null default now(),
  -- the user's own doing; streams and polling do not count
  last_active_on timestamptz not null default now(),
  must_sign_in_again boolean not null default false,
  id_token text,
  ended_on timestamptz
);
create index session_account on session (account_guid);

-- The one-time token between provider and page: stored hashed, 60 s, good once, only in the browser that began.
create table sso_token (
  token_hash bytea primary key,
  account_guid uuid not null references account on delete cascade,
  browser_hash bytea not null,
  id_token text,
  expires_on timestamptz not null,
  used_on timestamptz
);

-- What the embedded provider keeps (authorisation codes, grants, its sessions, …).
create table provider_record (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  expires_on timestamptz,
  consumed_on timestamptz,
  primary key (model, id)
);
create index provider_record_grant on provider_record (grant_id);
create index provider_record_uid on provider_record (uid);

create table terms_acceptance (
  account_guid uuid not null references account on delete cascade,
  terms_version text not null,
  accepted_on timestamptz not null default now(),
  primary key (account_guid, terms_version)
);

-- A slot: one read file with all that came of it.
create table slot (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  account_guid uuid references account on delete set null,
  family text not null check (family in ('kessv2', 'ktag', 'kess3')),
  is_utility boolean not null default false,
  group_code text not null,
  read_file_name text not null,
  -- set when the read was decoded; serial numbers are copies: devices may change hands later
  master_device_guid uuid references master_device on delete set null,
  slave_device_guid uuid references slave_device on delete set null,
  slave_serial_number text,
  -- who owned the slave at the time of the decoding
  slave_owner_guid uuid references organisation on delete set null,
  mode text check (mode in ('obd', 'bootbench')),
  protocol_id integer,
  -- what the decode found: information, flags, component sizes
  facts jsonb,
  created_on timestamptz not null default now(),
  deleted_on timestamptz
);
create index slot_organisation on slot (organisation_guid, created_on);

create table stored_file (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  slot_guid uuid not null references slot on delete cascade,
  -- read | decoded | id | modified | original | encoded
  role text not null check (role in ('read', 'decoded', 'id', 'modified', 'original', 'encoded')),
  component text,
  name text not null,
  -- bytes
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  deleted_on timestamptz
);
create index stored_file_slot on stored_file (slot_guid);
create index stored_file_organisation on stored_file (organisation_guid) where deleted_on is null;
create index stored_file_expiry on stored_file (expires_on) where deleted_on is null;

-- The operation row is the only truth of an asynchronous decode or encode, and the queue itself.
create table operation (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  account_guid uuid references account on delete set null,
  family text not null check (family in ('kessv2', 'ktag', 'kess3')),
  type text not null,
  slot_guid uuid not null references slot on delete cascade,
  user_flow text not null default 'D',
  context_data text,
  -- what was asked for: file guids, switches, notification info
  request jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'succeeded', 'failed')),
  attempt integer not null default 0,
  crashes integer not null default 0,
  -- set while a worker holds it
  lease_until timestamptz,
  worker_guid uuid,
  stage text not null default 'UPLOADING',
  fraction real not null default 0,
  result jsonb,
  error_name text,
  error_detail text,
  internal_code text,
  created_on timestamptz not null default now(),
  started_on timestamptz,
  completed_on timestamptz
);
create index operation_due on operation (created_on) where status in ('waiting', 'running');
create index operation_organisation on operation (organisation_guid, created_on desc);
create index operation_slot on operation (slot_guid);

-- A worker reports here; the engine is up while one has reported within 15 s.
create table worker_report (
  worker_guid uuid primary key,
  engines integer not null,
  reported_on timestamptz not null default now()
);

create table maintenance (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null default false,
  changed_on timestamptz not null default now()
);
insert into maintenance default values;
