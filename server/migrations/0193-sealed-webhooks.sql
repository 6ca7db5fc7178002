-- Endpoints also receive a message when a file was sealed again for a late download.

alter table webhook_message drop constraint webhook_message_type_check;
alter table webhook_message add constraint webhook_message_type_check
  check (type in ('operation.completed', 'file.received', 'test', 'file.sealed'));
