-- A file that expires is sealed again for a later download, from the image that its maker's service was given.
alter table stored_file
  -- of that image, and of each file that was sealed from it again: the file that the encode made
  add column first_delivery_guid uuid;
alter table stored_file drop constraint stored_file_role_check;
alter table stored_file add constraint stored_file_role_check
  check (role in ('read', 'decoded', 'id', 'modified', 'original', 'encoded', 'restore', 'plain'));
create index stored_file_deliveries on stored_file (first_delivery_guid) where first_delivery_guid is not null;
