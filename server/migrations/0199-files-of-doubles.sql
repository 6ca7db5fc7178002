-- Whether a double of the demo opens and seals the files of a slot, in place of a maker's service.
alter table slot add column is_double boolean not null default false;
update slot set is_double = true from engine_connection
  where engine_connection.guid = slot.connection_guid and starts_with(engine_connection.name, 'demo double of ');
update operation set result = result || '{"isDouble": true}' from slot
  where slot.guid = operation.slot_guid and slot.is_double and operation.result is not null;
