-- A job whose file was sent stays with its files as long as the link or the recipient can download it, whatever the retention
-- is: neither is deleted before this time.
alter table slot add column kept_until timestamptz;
update slot set kept_until = sent.until
from (
  select slot_guid, max(completed_on) + interval '10 days' as until
  from notification
  where target_file_guid is not null and completed_on > now() - interval '10 days'
    and (receiver_organisation_guid is not null or exists (select from mail where mail.guid = notification.guid))
  group by slot_guid) sent
where slot.guid = sent.slot_guid and slot.deleted_on is null;

-- The customer labels that a job has had: names of files can contain them until the job is deleted.
alter table slot add column past_labels text[] not null default '{}';
