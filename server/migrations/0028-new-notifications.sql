-- The bell counts everything new, also what is older than the newest notifications that it lists: each source of the list
-- has an index of what its viewer has not acted on yet.
create index notification_new_sent
  on notification (sender_organisation_guid, sender_account_guid, completed_on desc, guid desc)
  where sender_interacted_on is null;
create index notification_new_sent_by_client
  on notification (sender_organisation_guid, sender_client_guid, completed_on desc, guid desc)
  where sender_interacted_on is null and sender_client_guid is not null;
create index notification_new_from_others
  on notification (receiver_organisation_guid, completed_on desc, guid desc)
  where sender_organisation_guid <> receiver_organisation_guid and receiver_interacted_on is null;
create index notification_new_from_own
  on notification (
    receiver_organisation_guid,
    coalesce(sender_account_guid, sender_client_guid, '00000000-0000-0000-0000-000000000000'),
    completed_on desc, guid desc)
  where (sender_organisation_guid = receiver_organisation_guid) is true and receiver_interacted_on is null;

-- NUMB of the newest file that was encoded for a slave. `last_number` is also taken by encodes that fail: after one, no
-- newer file exists, so it says nothing about whether the slave refuses an older file.
alter table slave_device add column last_encoded_number integer not null default 0;
update slave_device set last_encoded_number = coalesce((
  select max(number) from stored_file join slot on slot.guid = stored_file.slot_guid
  where slot.slave_device_guid = slave_device.guid), 0);
