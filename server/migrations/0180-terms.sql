-- The terms of use that operators write in the browser. A published version does not change: it is what users accepted.
create table terms_version (
  guid uuid primary key,
  version text not null unique,
  -- names of articles, in order
  articles jsonb not null,
  -- Markdown by the two letters of a language
  texts jsonb not null,
  -- false: users who have accepted the version before need not accept this one
  asks_again boolean not null,
  created_on timestamptz not null default now(),
  -- null: a draft. The version in force is the one that was published last.
  published_on timestamptz
);

-- operators page through acceptances
alter table terms_acceptance add guid uuid not null default gen_random_uuid();
create unique index terms_acceptance_guid on terms_acceptance (guid);
create index terms_acceptance_newest on terms_acceptance (accepted_on desc, guid desc);
