-- Jobs are described with less work: all texts are folded and split together, a new file adds only the words of its name,
-- and the job's row is written again only if these words are new. What a job is found by does not change, so no job needs
-- to be described again.

-- In the program's own language, whose plans a connection keeps: a function in SQL is planned with each call.
create or replace function search_fold(content text) returns text language plpgsql immutable as $$
begin
  -- only ASCII: nothing but the case differs
  if getdatabaseencoding() = 'UTF8' and octet_length(content) = char_length(content) then
    return lower(content collate "C");
  end if;
  return replace(replace(replace(replace(
      translate(
        regexp_replace(lower(
          -- PostgreSQL normalizes only UTF-8
          case when getdatabaseencoding() = 'UTF8' then normalize(content, NFKD) else content end
        ), '[\u0300-\u036f]', '', 'g'),
        'łŁøØđĐðÐŧŦħĦıςẞÆŒÞ', 'llooddddtthhiσßæœþ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end $$;

create or replace function search_terms(variadic contents text[]) returns text[] language plpgsql immutable as $$
declare
  folded text := search_fold(array_to_string(contents, ' '));
begin
  -- the words as in `search_words`, which is in SQL
  return array['::2'] || array(
    select substr(word, start)
    from (
      select distinct left(part, 64) as word
      from regexp_split_to_table(folded, '[\s!-/:-@\[-`{-~]+') as part
      where part <> '') as words,
      generate_series(1, greatest(1, length(word) - 2)) as start);
end $$;

create or replace function describe_job() returns trigger language plpgsql as $$
declare
  read jsonb := new.facts -> 'information';
begin
  if new.deleted_on is not null then
    new.search := '';
    return new;
  end if;
  -- the trigger of the files has added the words of a name
  if pg_trigger_depth() > 1 and new.search <> '' then
    return new;
  end if;
  new.search := array_to_tsvector(array[':' || new.organisation_guid] || search_terms(variadic
    array[new.vin, new.slave_serial_number, new.protocol_id::text, new.facts ->> 'protocolName', new.read_file_name,
      new.note, new.user_code, new.customer_label, new.plate, new.vehicle_make, new.vehicle_model,
      read ->> 'hardware', read ->> 'hardwareVersion', read ->> 'software', read ->> 'softwareVersion',
      read ->> 'softwareUpgrade', read ->> 'engine', new.facts #>> '{idFile,name}']
    || array(select value #>> '{}'
        from jsonb_path_query(new.facts, 'lax $.components[*].recognition.fields[*].value') as value limit 100)
    || array(select value #>> '{}'
        from jsonb_path_query(new.facts, 'lax $.components[*].recognition.name') as value limit 100)
    -- of the files that are inserted with these facts, so that their trigger has nothing to add
    || array(select value #>> '{}' from jsonb_path_query(new.facts, 'lax $.components[*].name') as value limit 100)
    -- not of all files: a tsvector has at most 1 MiB
    || array(select name from stored_file where slot_guid = new.guid
        group by name order by max(created_on) desc, name limit 100)));
  return new;
end $$;

create or replace function describe_jobs_of_files() returns trigger language plpgsql as $$
declare
  named record;
  terms tsvector;
begin
  -- slot by slot: a join with the new rows would read all slots, because no one knows how few these are
  for named in select slot_guid, array_agg(name) as names from added group by slot_guid loop
    terms := case when cardinality(named.names) <= 100 then array_to_tsvector(search_terms(variadic named.names)) end;
    update slot
    set search = case
      -- described by these rules, and far from the maximum of a tsvector
      when terms is not null and search @@ '''::2'''::tsquery and length(search) < 5000 then search || terms
      else '' end
    where guid = named.slot_guid and deleted_on is null
      and (terms is null or length(search || terms) > length(search));
  end loop;
  return null;
end $$;
