-- An uploaded image stays as a version when another one replaces it in the draft of an encode, with who replaced it and
-- when. When the storage of an organisation is full, the oldest of these versions make room.
alter table stored_file
  add column replaced_on timestamptz,
  add column replaced_account_guid uuid references account on delete set null,
  add column replaced_client_guid uuid references client_application on delete set null,
  add column made_room boolean not null default false;
create index stored_file_replaced on stored_file (organisation_guid, replaced_on)
  where replaced_on is not null and deleted_on is null;

-- The rows of an account, which are found when it is removed.
create index stored_file_replacer on stored_file (replaced_account_guid) where replaced_account_guid is not null;
create index stored_file_uploader on stored_file (account_guid) where account_guid is not null;
create index slot_account on slot (account_guid) where account_guid is not null;
create index slot_noter on slot (note_account_guid) where note_account_guid is not null;
-- with the time, for the queries that prefer it: a user has few recent operations and many old ones
create index operation_account on operation (account_guid, completed_on) where account_guid is not null;
create index notification_sender_account on notification (sender_account_guid) where sender_account_guid is not null;
