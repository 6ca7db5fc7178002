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

-- NUMB of the newest file that a user has encoded for a slave, or of a newer restore kit that was downloaded: a kit
-- that is only stored is not a reason to warn about an older file. `last_number` is also taken by encodes that fail: after one, no
-- newer file exists, so it says nothing about whether the slave refuses an older file.
alter table slave_device add column last_encoded_number integer not null default 0;
-- Not written by the program: during a rolling upgrade, workers of the previous version encode too.
create function record_encoded_number() returns trigger language plpgsql as $$
begin
  update slave_device set last_encoded_number = new.number
  from slot
  where slot.guid = new.slot_guid and slave_device.guid = slot.slave_device_guid and last_encoded_number < new.number;
  return null;
end $$;
create trigger stored_file_encoded after insert on stored_file
  for each row when (new.number is not null and new.role <> 'restore') execute function record_encoded_number();
update slave_device set last_encoded_number = newest.number
from (
  select slave_device_guid, max(number) as number
  from stored_file join slot on slot.guid = stored_file.slot_guid
  where number is not null and role <> 'restore' and slave_device_guid is not null
  group by slave_device_guid) newest
where slave_device.guid = newest.slave_device_guid;
