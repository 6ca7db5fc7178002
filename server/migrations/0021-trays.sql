-- Trays: read files that a user dropped together. The rows outlive a reload of the page: which file became which slot,
-- and which files were not uploaded yet.

create table tray (
  guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  -- who made it; the other one is null
  account_guid uuid references account on delete set null,
  client_guid uuid references client_application on delete set null,
  created_on timestamptz not null default now()
);
create index tray_organisation on tray (organisation_guid, created_on desc);
create index tray_account on tray (account_guid) where account_guid is not null;
create index tray_client on tray (client_guid) where client_guid is not null;
create index tray_age on tray (created_on);

create table tray_file (
  guid uuid primary key,
  tray_guid uuid not null references tray on delete cascade,
  -- counts from 1 in each tray
  position integer not null,
  -- null once it is uploaded: from then on, the slot has the name, and deletes the vehicle data in it
  name text,
  size bigint not null,
  -- null where the browser cannot compute it, until the file is uploaded
  sha256 text,
  workflow text,
  -- why it is not decoded
  error_name text,
  -- the operation that decodes it
  operation_guid uuid references operation on delete cascade,
  unique (tray_guid, position)
);
create index tray_file_operation on tray_file (operation_guid) where operation_guid is not null;
