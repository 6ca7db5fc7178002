-- How a mail has left: handed to a mail server, or laid into the outbox folder where there is none. Null as long as it
-- has not, and for those that left before this was written down.
alter table mail add column way text check (way in ('mail-server', 'outbox'));
