-- The number of a slave's own key, if it was renewed; null: the current one of its master. Keys of both are numbered
-- together, by their master.
alter table slave_device add column key_id integer;
