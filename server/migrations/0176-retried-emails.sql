-- When an operator last sent an email again: it is retried for a day from then on.
alter table mail add column retried_on timestamptz;
alter table account_mail add column retried_on timestamptz;

-- How an email about an account was sent, as for emails with files. Null until then, and for those sent before this column.
alter table account_mail add column way text check (way in ('mail-server', 'outbox'));
