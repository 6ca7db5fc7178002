-- Connections to the engines of vendors, which master device uses which, and what is known of the work there.

create table engine_connection (
  guid uuid primary key,
  name text not null,
  kind text not null check (kind in ('encoding-api')),
  url text not null,
  -- the client application there; its secret is in wrapped_key, purpose 'engine:{guid}'
  client_guid text not null,
  created_on timestamptz not null default now(),
  -- kept for the slots that it decoded
  removed_on timestamptz
);
create unique index engine_connection_name on engine_connection (name) where removed_on is null;

-- Null: the built-in engine.
alter table master_device add column connection_guid uuid references engine_connection;
alter table slot
  add column connection_guid uuid references engine_connection,
  -- the slot there, as soon as it is known
  add column remote_slot_guid text;
alter table operation
  add column connection_guid uuid references engine_connection,
  -- the operation and the uploaded files there, each as soon as it is known
  add column remote jsonb;
create index operation_connection on operation (connection_guid, completed_on) where connection_guid is not null;
