-- What was wrong with a file that was repaired before it was used: the history of the job draws it.
alter table stored_file add column repair_details jsonb;
