-- Each download of a file, with who downloaded it. Before, only the first one was recorded, without who it was.
create table download (
  guid uuid primary key,
  file_guid uuid not null references stored_file on delete cascade,
  -- `own`: someone of the organisation that has the file; `received`: someone of an organisation that it is shared with;
  -- `link`: anyone with the link of an email
  way text not null check (way in ('own', 'received', 'link')),
  -- whose user or program it was; null for a link
  organisation_guid uuid references organisation on delete set null,
  -- who it was, in the organisation that has the file; both null if it is not known
  account_guid uuid references account on delete set null,
  client_guid uuid references client_application on delete set null,
  -- the notification whose email has the link
  notification_guid uuid references notification on delete set null,
  downloaded_on timestamptz not null default now()
);
create index download_file on download (file_guid, downloaded_on desc);
create index download_notification on download (notification_guid) where notification_guid is not null;
-- removing an account looks for its downloads
create index download_account on download (account_guid) where account_guid is not null;

-- Portals of the previous version, which run on during a rolling upgrade, only record the first download of a file and of a
-- link. This version records the one of a link too, after its row.
create function record_first_download() returns trigger language plpgsql as $$
begin
  insert into download (guid, file_guid, way, organisation_guid, downloaded_on)
    values (gen_random_uuid(), new.guid, 'own', new.organisation_guid, new.first_downloaded_on);
  return null;
end $$;
create trigger stored_file_downloaded after update of first_downloaded_on on stored_file
  for each row when (old.first_downloaded_on is null and new.first_downloaded_on is not null)
  execute function record_first_download();
create function record_first_link_download() returns trigger language plpgsql as $$
begin
  insert into download (guid, file_guid, way, notification_guid, downloaded_on)
    select gen_random_uuid(), stored_file.guid, 'link', notification.guid, new.first_download_on
    from notification join stored_file on stored_file.guid = notification.target_file_guid
    where notification.guid = new.guid
      and not exists (select from download where notification_guid = new.guid);
  return null;
end $$;
create trigger mail_downloaded after update of first_download_on on mail
  for each row when (old.first_download_on is null and new.first_download_on is not null)
  execute function record_first_link_download();

-- a restore kit counts for its slave once someone has it
create function record_kit_number() returns trigger language plpgsql as $$
begin
  update slave_device set last_encoded_number = stored_file.number
  from stored_file join slot on slot.guid = stored_file.slot_guid
  where stored_file.guid = new.file_guid and stored_file.role = 'restore'
    and slave_device.guid = slot.slave_device_guid and last_encoded_number < stored_file.number;
  return null;
end $$;
create trigger download_of_kit after insert on download for each row execute function record_kit_number();

insert into download (guid, file_guid, way, organisation_guid, downloaded_on)
  select gen_random_uuid(), guid, 'own', organisation_guid, first_downloaded_on
  from stored_file where first_downloaded_on is not null;
insert into download (guid, file_guid, way, notification_guid, downloaded_on)
  select gen_random_uuid(), stored_file.guid, 'link', notification.guid, first_download_on
  from mail join notification on notification.guid = mail.guid
    join stored_file on stored_file.guid = notification.target_file_guid
  where first_download_on is not null;

-- when the recipient downloaded a shared file in the portal for the first time
alter table notification add column received_on timestamptz;
-- all sendings of the files of a job
create index notification_slot on notification (slot_guid);
