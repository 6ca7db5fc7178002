-- The number of a slave's own key, and since when it has it; null: it has the current one of its master. Keys of both
-- are numbered together, by their master, and those before the slave's own one are revoked for it.
alter table slave_device add column key_id integer, add column key_renewed_on timestamptz;

-- Serial numbers whose key was renewed once. They get a new key whenever they are added again: the row of a slave is
-- deleted with it, and its former keys must not become valid again.
create table renewed_slave (
  family text not null,
  serial_number text not null,
  primary key (family, serial_number)
);

-- The number of the key that sealed the read of a slot, and so all files that are encoded from it; null: not known.
alter table slot add column key_id integer;
