-- Jobs: every slot can be found by what is known about it, kept longer than the retention, and annotated. Each
-- organisation can choose its retention. A restore kit is an encoded file of the image as it was read.

-- Days that slots and files are kept; null: the operator's default
alter table organisation add column retention_days integer;

alter table slot
  add column note text,
  add column note_account_guid uuid references account on delete set null,
  add column noted_on timestamptz,
  -- kept whatever the retention
  add column is_kept boolean not null default false,
  -- the retention counts from here, since the job was kept for the last time; null: from its creation
  add column retained_since timestamptz,
  -- what `search_query` finds it by; only the triggers below change it
  add column search tsvector not null default '';

alter table stored_file
  -- who uploaded it; null: an operation made it, or the account no longer exists
  add column account_guid uuid references account on delete set null,
  add column client_guid uuid references client_application on delete set null,
  -- NUMB of a file that the built-in engine encoded
  add column number integer,
  add column first_downloaded_on timestamptz;
alter table stored_file drop constraint stored_file_role_check;
alter table stored_file add constraint stored_file_role_check
  check (role in ('read', 'decoded', 'id', 'modified', 'original', 'encoded', 'restore'));

-- Work that the portal starts on its own: it is in no list, and counts for no one's quota of operations.
alter table operation add column is_background boolean not null default false;
drop index operation_due;
create index operation_due on operation (is_background, created_on) where status in ('waiting', 'running');

-- The words of a text: lowercase, without punctuation.
create function search_words(content text) returns setof text language sql immutable as $$
  select distinct left(word, 64)
  from regexp_split_to_table(lower(content), '[\s!-/:-@\[-`{-~]+') as word
  where word <> ''
$$;

-- What texts are found by: each word from each of its characters on, but for its last two, so that the beginning of a
-- term is any part of a word.
create function search_terms(variadic contents text[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct substr(word, start)), '{}')
  from unnest(contents) as content, search_words(content) as word,
    generate_series(1, greatest(1, length(word) - 2)) as start
$$;

-- A query for the jobs of an organisation with all words of a text. Words shorter than three characters must be whole;
-- no word contains a colon.
create function search_query(organisation uuid, content text) returns tsquery language sql immutable as $$
  select (string_agg(case when length(word) < 3 then '''' || word || '''' else '''' || word || ''':*' end, ' & ')
    || ' & '':' || organisation || '''')::tsquery
  from search_words(content) as word
$$;

create function describe_job() returns trigger language plpgsql as $$
declare
  read jsonb := new.facts -> 'information';
begin
  if new.deleted_on is not null then
    new.search := '';
    return new;
  end if;
  new.search := array_to_tsvector(array[':' || new.organisation_guid] || search_terms(variadic
    array[new.vin, new.slave_serial_number, new.protocol_id::text, new.facts ->> 'protocolName', new.read_file_name,
      new.note, new.user_code, read ->> 'hardware', read ->> 'hardwareVersion', read ->> 'software',
      read ->> 'softwareVersion', read ->> 'softwareUpgrade', read ->> 'engine']
    -- not of all files: a tsvector has at most 1 MiB
    || array(select name from stored_file where slot_guid = new.guid
        group by name order by max(created_on) desc, name limit 100)));
  return new;
end $$;
create trigger slot_described
  before insert or update of vin, slave_serial_number, protocol_id, facts, read_file_name, note, user_code, deleted_on,
    search
  on slot for each row execute function describe_job();

create function describe_jobs_of_files() returns trigger language plpgsql as $$
begin
  update slot set search = '' where guid in (select slot_guid from added) and deleted_on is null;
  return null;
end $$;
create trigger stored_file_described after insert on stored_file
  referencing new table as added
  for each statement execute function describe_jobs_of_files();

-- The sweep describes the slots that are there, in batches: here, it would lock the table for minutes.
create index slot_undescribed on slot (created_on) where search = '' and deleted_on is null;
create index slot_search on slot using gin (search);
create index slot_jobs on slot (organisation_guid, created_on, guid) where deleted_on is null;
create index slot_kept on slot (organisation_guid, created_on, guid) where deleted_on is null and is_kept;
create index slot_device on slot (organisation_guid, slave_serial_number, created_on, guid) where deleted_on is null;
create index slot_person on slot (organisation_guid, account_guid, created_on, guid) where deleted_on is null;
create index slot_vehicle on slot (organisation_guid, vin, created_on, guid)
  where deleted_on is null and vin is not null;
create index stored_file_hash on stored_file (organisation_guid, sha256);
