-- Names show the vehicle and the local time. Users describe a job: their own label, the plate and the vehicle. Each
-- organisation can choose its time zone and the names of decoded files.

alter table organisation_preferences
  -- a name such as Europe/Rome; null: the time zone of the user's browser
  add column time_zone text,
  -- null: the automatic name
  add column decoded_name_format text;

-- The time zone of the browser that the user last opened the portal in; null: not known yet.
alter table account add column time_zone text;

alter table slot
  add column customer_label text,
  add column plate text,
  add column vehicle_make text,
  add column vehicle_model text;

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
    -- not of all files: a tsvector has at most 1 MiB
    || array(select name from stored_file where slot_guid = new.guid
        group by name order by max(created_on) desc, name limit 100)));
  return new;
end $$;
drop trigger slot_described on slot;
create trigger slot_described
  before insert or update of vin, slave_serial_number, protocol_id, facts, read_file_name, note, user_code,
    customer_label, plate, vehicle_make, vehicle_model, deleted_on, search
  on slot for each row execute function describe_job();
