-- The last request for the newest version of Recodery; at most one row, and none if the operator has not turned it on.

create table update_check (
  only_row boolean primary key default true check (only_row),
  asked_on timestamptz not null,
  -- of the last response that named one
  version text,
  -- why the last request failed; null: it did not
  error text
);
