-- What an engine needs again later is one value that only the engine reads, encrypted by the program. The kinds of
-- connection are those of the program, and some have no client.

alter table slot add column engine_context bytea;
alter table operation add column engine_context bytea;
-- `slot.remote_slot_guid` and `operation.remote` stay: workers of an older version may still run (decision 125). Of
-- operations that have ended, nothing is needed again.
update operation set remote = null
  where connection_guid is not null and completed_on is not null and remote is not null;

alter table engine_connection
  drop constraint engine_connection_kind_check,
  alter column client_guid drop not null;
