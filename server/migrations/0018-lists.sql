-- Every list reads the same number of rows, however many there are: each has an index with its conditions and its order.

-- of a client application: the open ones, which its limit bounds, then the newest others
drop index slot_open;
create index slot_open on slot (opened_by_client_guid)
  where opened_by_client_guid is not null and deleted_on is null;
create index slot_list on slot (organisation_guid, family, created_on desc, guid desc)
  where deleted_on is null;
create index slot_list_by_code on slot (organisation_guid, family, user_code, created_on desc, guid desc)
  where deleted_on is null and user_code is not null;

drop index operation_organisation;
create index operation_organisation on operation (organisation_guid, created_on desc, guid desc);
-- what has just finished, for a new event stream
create index operation_completed on operation (organisation_guid, completed_on)
  where completed_on is not null;

-- Received from other organisations, or from colleagues: what users share with their own organisation is not listed for
-- themselves, and someone who works alone may have shared everything.
drop index notification_received;
create index notification_received_from_others
  on notification (receiver_organisation_guid, completed_on desc, guid desc)
  where sender_organisation_guid <> receiver_organisation_guid;
create index notification_received_from_own
  on notification (
    receiver_organisation_guid,
    coalesce(sender_account_guid, sender_client_guid, '00000000-0000-0000-0000-000000000000'),
    completed_on desc, guid desc)
  -- `is true` keeps PostgreSQL from replacing the comparison with one that does not match this condition
  where (sender_organisation_guid = receiver_organisation_guid) is true;

-- The receiver of an attempt's message, which never changes: the list of a receiver's attempts has one index. A trigger
-- sets it also for workers of the version before.
alter table webhook_attempt add column receiver_guid uuid;
update webhook_attempt set receiver_guid = coalesce(endpoint_guid, client_guid)
  from webhook_message where webhook_message.guid = message_guid;
alter table webhook_attempt alter column receiver_guid set not null;
create function webhook_attempt_receiver() returns trigger language plpgsql as $$
begin
  select coalesce(endpoint_guid, client_guid) into new.receiver_guid
    from webhook_message where guid = new.message_guid;
  return new;
end $$;
create trigger webhook_attempt_receiver before insert on webhook_attempt
  for each row execute function webhook_attempt_receiver();
create index webhook_attempt_receiver on webhook_attempt (receiver_guid, attempted_on desc, guid desc);

-- the filters of the audit trail
create index audit_entry_organisation on audit_entry ((lower(entry::jsonb #>> '{organisation}')), position);
create index audit_entry_actor on audit_entry ((lower(entry::jsonb #>> '{actor,name}')), position);
