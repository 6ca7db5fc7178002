-- Operations that a tray started: no page takes them up, and they leave a place of the quota to the pages.
alter table operation add column is_of_tray boolean not null default false;
update operation set is_of_tray = true
  where status in ('waiting', 'running') and guid in (select operation_guid from tray_file);

-- null: the tray has no name, and is known by its time
alter table tray add column name text;
