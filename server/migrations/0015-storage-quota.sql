-- The storage quota counts the files of an organisation as a sum that the database keeps, and the files that unfinished
-- operations will store: they reserve room when they start.

-- bytes of the files that are not deleted; only the triggers below change it
alter table organisation add column stored_bytes bigint not null default 0;
update organisation set stored_bytes = used.bytes
from (
  select organisation_guid, sum(size)::bigint as bytes from stored_file
  where deleted_on is null
  group by organisation_guid) used
where organisation.guid = used.organisation_guid;

create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update organisation set stored_bytes = stored_bytes + change.bytes
    from (
      select organisation_guid, sum(size)::bigint as bytes from added
      where deleted_on is null
      group by organisation_guid) change
    where organisation.guid = change.organisation_guid;
  elsif tg_op = 'DELETE' then
    update organisation set stored_bytes = stored_bytes - change.bytes
    from (
      select organisation_guid, sum(size)::bigint as bytes from removed
      where deleted_on is null
      group by organisation_guid) change
    where organisation.guid = change.organisation_guid;
  else
    update organisation set stored_bytes = stored_bytes + change.bytes
    from (
      select organisation_guid, sum(bytes)::bigint as bytes
      from (
        select organisation_guid, size as bytes from added where deleted_on is null
        union all
        select organisation_guid, -size from removed where deleted_on is null) file
      group by organisation_guid) change
    where organisation.guid = change.organisation_guid and change.bytes <> 0;
  end if;
  return null;
end $$;
create trigger stored_file_inserted after insert on stored_file
  referencing new table as added
  for each statement execute function count_stored_bytes();
create trigger stored_file_updated after update on stored_file
  referencing new table as added old table as removed
  for each statement execute function count_stored_bytes();
create trigger stored_file_deleted after delete on stored_file
  referencing old table as removed
  for each statement execute function count_stored_bytes();

-- bytes that the files of its result take at most; they count while it waits and runs
alter table operation add column reserved_bytes bigint not null default 0;
create index operation_unfinished on operation (organisation_guid) where status in ('waiting', 'running');
