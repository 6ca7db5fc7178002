-- Uploads that do not fit their read: why, and the repair that is offered for an hour. The bytes that it keeps count
-- against the storage quota.
create table misfit (
  -- names the repair, if there is one
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  slot_guid uuid not null references slot on delete cascade,
  role text not null check (role in ('modified', 'original')),
  component text not null,
  -- the upload as it came: a file of the slot if it was accepted, else kept here until the repair is used or expires
  file_guid uuid references stored_file on delete cascade,
  upload jsonb,
  kind text not null,
  details jsonb not null,
  -- the component that the repair belongs to, whether it is lossless, and its file; null: there is no repair
  repair_component text,
  is_lossless boolean,
  repair jsonb,
  -- bytes of the files that are kept here
  size bigint not null,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  -- when its files were used or given up
  deleted_on timestamptz
);
create index misfit_slot on misfit (slot_guid);
create index misfit_file on misfit (file_guid);
create index misfit_organisation on misfit (organisation_guid);
create index misfit_expiry on misfit (expires_on) where deleted_on is null;

create trigger misfit_inserted after insert on misfit
  referencing new table as added
  for each statement execute function count_stored_bytes();
create trigger misfit_updated after update on misfit
  referencing new table as added old table as removed
  for each statement execute function count_stored_bytes();
create trigger misfit_deleted after delete on misfit
  referencing old table as removed
  for each statement execute function count_stored_bytes();

-- a file that was repaired before it was used: the file as it came, and what was wrong with it
alter table stored_file add column repaired_from uuid, add column repair_kind text;
