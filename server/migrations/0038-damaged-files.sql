-- Stored files whose bytes are missing or have changed, and how far the regular verification of all files has come.
create table damaged_file (
  storage_key text primary key,
  damage text not null check (damage in ('missing', 'changed')),
  found_on timestamptz not null default now()
);

create table file_verification (
  only_row boolean primary key default true check (only_row),
  -- the last file that was verified in this pass; empty: none yet
  last_key text not null default '',
  -- the end of the last complete pass
  completed_on timestamptz,
  -- until then, one worker continues the pass
  lease_until timestamptz
);

-- the files are verified in the order of their keys
create index stored_file_key on stored_file (storage_key) where deleted_on is null;
