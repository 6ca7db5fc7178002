-- The base address of the Encoding API under which a client application started an operation: the addresses in the
-- message to its callback address begin with it.
alter table operation add column base_address text;
