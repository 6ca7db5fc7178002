-- The audit trail: who did what, each entry bound to the one before by a hash.

-- Entries wait here for a moment: appending them directly would make all transactions wait for each other.
create table audit_waiting (
  guid uuid primary key,
  -- their order: a counter would start again after a restore
  waits_since timestamptz not null default clock_timestamp(),
  -- as it is hashed
  entry text not null
);

create table audit_entry (
  -- counts from 1 without gaps
  position bigint primary key,
  entry text not null,
  recorded_on timestamptz not null,
  -- SHA-256 of the previous entry's hash, the position and the entry
  hash bytea not null
);
create index audit_entry_recorded on audit_entry (recorded_on);

create function audit_entry_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- the retention is at least that long
    if old.recorded_on < now() - interval '29 days' then return old; end if;
  end if;
  raise exception 'entries of the audit trail are never changed';
end $$;
create trigger audit_entry_stays before update or delete on audit_entry
  for each row execute function audit_entry_stays();
create trigger audit_entry_never_emptied before truncate on audit_entry
  for each statement execute function audit_entry_stays();
