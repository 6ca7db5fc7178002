-- Webhooks: signed messages about finished operations, to endpoints of an organisation and to the callback address of
-- an operation that a client application started.

create table webhook_endpoint (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  -- the key that signs is in wrapped_key, purpose 'webhook-endpoint:{guid}'
  url text not null,
  created_on timestamptz not null default now()
);
create index webhook_endpoint_organisation on webhook_endpoint (organisation_guid, created_on);

-- The outbox. A message has no body: each attempt reads the operation again, so that the links in it work and deleted
-- vehicle data is not sent.
create table webhook_message (
  guid uuid primary key,
  -- the header webhook-id; a replay is a new message with the same id
  webhook_id uuid not null,
  -- the receiving organisation, and the endpoint or the client application whose callback address it goes to
  organisation_guid uuid not null references organisation on delete cascade,
  endpoint_guid uuid references webhook_endpoint on delete cascade,
  client_guid uuid references client_application on delete cascade,
  operation_guid uuid not null references operation on delete cascade,
  type text not null check (type in ('operation.completed', 'file.received')),
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempt integer not null default 0,
  due_on timestamptz not null default now(),
  lease_until timestamptz,
  created_on timestamptz not null default now(),
  check ((endpoint_guid is null) <> (client_guid is null))
);
create index webhook_message_waiting
  on webhook_message (organisation_guid, (coalesce(endpoint_guid, client_guid)), due_on)
  where status = 'waiting';
create index webhook_message_receiver on webhook_message ((coalesce(endpoint_guid, client_guid)));
create index webhook_message_client on webhook_message (client_guid) where client_guid is not null;
create index webhook_message_endpoint on webhook_message (endpoint_guid) where endpoint_guid is not null;
create index webhook_message_operation on webhook_message (operation_guid);
create index webhook_message_age on webhook_message (created_on);

-- Each attempt to deliver a message.
create table webhook_attempt (
  guid uuid primary key,
  message_guid uuid not null references webhook_message on delete cascade,
  -- null where there was no response; then error is one word
  status integer,
  error text,
  duration_ms integer not null,
  attempted_on timestamptz not null default now()
);
create index webhook_attempt_message on webhook_attempt (message_guid, attempted_on);
create index webhook_attempt_age on webhook_attempt (attempted_on);
