-- The backups that a portal makes in its backup folder: on request, or at a time of each day.
create table backup_run (
  file_name text primary key check (file_name ~ '^[^/\\]+\.tar$'),
  -- 'other': another program has put the file into the folder
  origin text not null check (origin in ('page', 'schedule', 'other')),
  -- the email address of the operator
  requested_by text,
  requested_on timestamptz not null default now(),
  status text not null
    check (status in ('waiting', 'running', 'verifying', 'complete', 'broken', 'failed')),
  -- until then, a portal works on it
  lease_until timestamptz,
  -- which portal: one that has lost the backup to another changes nothing any more
  lease_owner text,
  copied integer not null default 0,
  files integer not null default 0,
  missing integer,
  damaged integer,
  has_secret boolean,
  verified_on timestamptz,
  error text
);

-- one backup at a time
create unique index backup_run_active on backup_run ((true)) where status in ('waiting', 'running');

create table backup_schedule (
  only_row boolean primary key default true check (only_row),
  -- the hour of each day, in UTC; null: off
  hour smallint check (hour between 0 and 23),
  -- how many of its backups the portal keeps; null: all
  kept integer check (kept between 1 and 1000),
  changed_on timestamptz not null default now(),
  -- the last time for which a backup was requested
  last_due timestamptz
);
