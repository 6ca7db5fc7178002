-- What the user has prepared for encoding: uploaded files, removed components and switches. Null until there is something.
alter table slot add column draft jsonb;
-- Where an uploaded image differs from the decoded one, so that a page that is loaded again can show it.
alter table stored_file add column changes jsonb;
