-- Idempotency keys of users: a page that did not receive the response to its request sends it again with the same key.
-- A key belongs to a client application or to an account. Portals of the previous version still use (client_guid, key).
alter table idempotency_key
  drop constraint idempotency_key_pkey,
  add column guid uuid primary key default gen_random_uuid(),
  alter column client_guid drop not null,
  add column account_guid uuid references account on delete cascade,
  add constraint idempotency_key_owner check (num_nonnulls(client_guid, account_guid) = 1),
  add constraint idempotency_key_of_client unique (client_guid, key),
  add constraint idempotency_key_of_account unique (account_guid, key);
