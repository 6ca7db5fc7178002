-- The export that an imported job comes from: the customer code of its organisation, and when it began.
alter table slot add column imported_from text, add column exported_on timestamptz;
