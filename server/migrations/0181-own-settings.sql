-- Settings that operators change in the browser; what is missing has its default.
create table own_setting (
  name text primary key,
  value jsonb not null,
  changed_on timestamptz not null default now()
);
