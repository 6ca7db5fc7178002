-- When a job was imported from an export; null: its read was uploaded here. Its earlier versions are never deleted to make
-- room: which encoded files were made from them is not known here.
alter table slot add column imported_on timestamptz;
