-- The originals library: images by which Virtual Reading answers reads that hold the identification alone.
-- It is the installation's, not an organisation's: what an ECU was delivered with is the same for everybody.

create table original (
  guid uuid primary key,
  protocol_id integer not null,
  -- the numbers as the slave says them
  hardware text not null,
  software text not null,
  -- the file's name when it was added, for the operator's eyes
  name text not null,
  -- bytes
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  added_on timestamptz not null default now(),
  unique (protocol_id, hardware, software)
);
