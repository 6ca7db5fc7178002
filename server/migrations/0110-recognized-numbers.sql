-- Jobs are also found by what was recognized in their images. Jobs that were decoded before have nothing of it, so that
-- they need not be described again.

create or replace function describe_job() returns trigger language plpgsql as $$
declare
  read jsonb := new.facts -> 'information';
begin
  if new.deleted_on is not null then
    new.search := '';
    return new;
  end if;
  new.search := array_to_tsvector(array[':' || new.organisation_guid] || search_terms(variadic
    array[new.vin, new.slave_serial_number, new.protocol_id::text, new.facts ->> 'protocolName', new.read_file_name,
      new.note, new.user_code, new.customer_label, new.plate, new.vehicle_make, new.vehicle_model,
      read ->> 'hardware', read ->> 'hardwareVersion', read ->> 'software', read ->> 'softwareVersion',
      read ->> 'softwareUpgrade', read ->> 'engine']
    || array(select value #>> '{}'
        from jsonb_path_query(new.facts, 'lax $.components[*].recognition.fields[*].value') as value limit 100)
    || array(select value #>> '{}'
        from jsonb_path_query(new.facts, 'lax $.components[*].recognition.name') as value limit 100)
    -- not of all files: a tsvector has at most 1 MiB
    || array(select name from stored_file where slot_guid = new.guid
        group by name order by max(created_on) desc, name limit 100)));
  return new;
end $$;
