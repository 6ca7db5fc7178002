-- What organisations prefer, what the operator tells everybody, and what the log and the sweep go through.

-- An organisation without a row has the defaults; so has each column that is null.
create table organisation_preferences (
  organisation_guid uuid primary key references organisation on delete cascade,
  encoded_kessv2_file_name_format text,
  encoded_ktag_file_name_format text,
  auto_send_default_action text check (auto_send_default_action in ('Encode', 'EncodeAndSend')),
  is_private_by_default boolean,
  changed_on timestamptz not null default now()
);

-- Shown to everybody who reads that language, from one time to another; null: until it is removed.
create table operator_message (
  guid uuid primary key,
  language text not null check (language ~ '^[a-z]{2}$'),
  text text not null,
  shown_from timestamptz not null default now(),
  shown_to timestamptz check (shown_to > shown_from),
  created_on timestamptz not null default now()
);

-- The log begins at its newest row and goes on from where it stands, however many rows there are.
create index operation_log on operation (organisation_guid, family, created_on desc, guid desc);

-- When the bytes of a deleted file were found gone from the storage: a deletion that was cut off is made up for.
alter table stored_file add column swept_on timestamptz;
create index stored_file_unswept on stored_file (deleted_on) where deleted_on is not null and swept_on is null;
create index slot_expiry on slot (created_on) where deleted_on is null;
create index slot_deleted on slot (created_on) where deleted_on is not null;
