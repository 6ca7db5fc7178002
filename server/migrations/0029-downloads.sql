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
