-- Decoded images that users keep as originals, with who kept them, when, and the software number by which later reads are
-- compared with them. The image is the file of its job, which is kept.
alter table stored_file
  add column original_on timestamptz,
  add column original_account_guid uuid references account on delete set null,
  add column original_client_guid uuid references client_application on delete set null,
  add column original_software text;
create index stored_file_original on stored_file (organisation_guid, size) where original_on is not null;
-- The rows of an account, which are found when it is removed.
create index stored_file_original_keeper on stored_file (original_account_guid)
  where original_account_guid is not null;
