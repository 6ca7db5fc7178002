-- Receipts: signed statements about encoded files. They outlive the files, the slot and the operation, so none of these is
-- referenced: a receipt contains hashes and sizes, and nothing that identifies a vehicle or its owner.

create table receipt (
  operation_guid uuid primary key,
  organisation_guid uuid not null references organisation on delete cascade,
  slot_guid uuid not null,
  file_guid uuid not null,
  -- 80 random bits in Crockford's base 32, in groups; anyone who has it may read the receipt
  code text not null unique,
  encoded_sha256 text not null,
  -- compact JWS; the key is in wrapped_key, purpose 'receipt'
  receipt text not null,
  issued_on timestamptz not null default now()
);
create index receipt_slot on receipt (organisation_guid, slot_guid);
create index receipt_encoded_file on receipt (encoded_sha256);
