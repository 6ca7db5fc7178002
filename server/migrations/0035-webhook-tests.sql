-- Webhooks: test messages, which are about no operation.
alter table webhook_message alter column operation_guid drop not null;
alter table webhook_message drop constraint webhook_message_type_check;
alter table webhook_message add constraint webhook_message_type_check
  check (type in ('operation.completed', 'file.received', 'test'));
alter table webhook_message add constraint webhook_message_operation_check
  check ((type = 'test') = (operation_guid is null));
