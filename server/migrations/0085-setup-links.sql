-- Links with which the first operator sets up an installation without users.
create table setup_link (
  token_hash bytea primary key,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  used_on timestamptz
);
