-- Client applications: programs of an organisation that call the portal with a token, what they started, and the
-- idempotency keys of their requests.

create table client_application (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  name text not null,
  -- SHA-256 of a random secret; its webhook secret is in wrapped_key, purpose 'client-webhook:{guid}'
  secret_hash bytea not null,
  -- in CIDR notation; empty: any address
  allowed_networks text[] not null default '{}',
  created_on timestamptz not null default now(),
  expires_on timestamptz,
  last_used_on timestamptz,
  revoked_on timestamptz
);
create index client_application_organisation on client_application (organisation_guid, created_on);

-- The tokens of clients, as SHA-256 of a random token. Each ends with its client, too.
create table access_token (
  token_hash bytea primary key,
  client_guid uuid not null references client_application on delete cascade,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null
);
create index access_token_client on access_token (client_guid);
create index access_token_expiry on access_token (expires_on);

-- The first response to a request with an idempotency key, stored in the transaction that starts the work.
create table idempotency_key (
  client_guid uuid not null references client_application on delete cascade,
  key text not null,
  -- the request that is handling the key now, and until when the others believe it
  claim uuid not null,
  lease_until timestamptz not null,
  -- null while the first request is being handled: SHA-256 of its content, and its response as JSON text
  content_hash bytea,
  response text,
  created_on timestamptz not null default now(),
  primary key (client_guid, key)
);
create index idempotency_key_age on idempotency_key (created_on);

-- What a client started has no account.
alter table operation
  add column client_guid uuid references client_application on delete set null,
  add column user_info text,
  add column callback_url text;

alter table slot
  -- who made it; null: a user of the portal
  add column client_guid uuid references client_application on delete set null,
  add column user_code text,
  -- the client on whose limit of open slots it counts; null: closed to client applications
  add column opened_by_client_guid uuid references client_application on delete set null;
create index slot_open on slot (opened_by_client_guid) where opened_by_client_guid is not null;

alter table notification
  add column sender_client_guid uuid references client_application on delete set null;
create index notification_sent_by_client
  on notification (sender_client_guid, completed_on desc, guid desc)
  where sender_client_guid is not null;
