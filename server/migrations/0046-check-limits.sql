-- What could not be checked of the draft of a slot, and that draft, as its newest pre-flight found it.
alter table slot add column check_limits jsonb;
