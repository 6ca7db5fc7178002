-- Rate limits that all portals share: how many requests of a network a call has had since its window began.

-- after a crash, counting starts again: it is not worth a write to disk for each request
create unlogged table request_count (
  -- SHA-256 of the call and the network: enough to count, too little to read
  sender bytea primary key,
  count integer not null,
  ends_on timestamptz not null
);
create index request_count_ends on request_count (ends_on);
