-- What running processes report about themselves: recodery doctor, which runs under another account, cannot see it.
alter table worker_report
  -- how its engine processes are isolated; null: reported by an older version
  add column isolation text,
  add column has_namespaces boolean;

create table portal_report (
  portal_guid uuid primary key,
  isolation text not null,
  has_namespaces boolean not null,
  -- the address of a proxy that forwards requests although it is not trusted
  untrusted_proxy text,
  reported_on timestamptz not null default now()
);
