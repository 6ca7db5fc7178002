-- The images of an organisation with the same size, the newest first: two of them can be compared.
create index stored_file_image on stored_file (organisation_guid, size, created_on desc, guid desc)
  where role in ('decoded', 'modified', 'original') and deleted_on is null;
