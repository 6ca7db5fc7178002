-- Email addresses are compared with ASCII letters folded, and only these: lower() of the database's locale also turns
-- letters such as U+0130 into ASCII ones. The old index was stricter, so no two rows can clash in the new one.
drop index account_email;
create unique index account_email on account (lower(email collate "C"));

-- the filter of the audit trail by user
drop index audit_entry_actor;
create index audit_entry_actor on audit_entry ((lower((entry::jsonb #>> '{actor,name}') collate "C")), position);
