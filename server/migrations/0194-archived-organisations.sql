-- Operators archive an organisation: no one can sign in or call the API for it until it is restored. Its work stays.
alter table organisation add column is_archived boolean not null default false;
