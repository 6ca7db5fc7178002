-- An entry that was recorded before its call began, and is not complete yet: it is appended as it is once this time has passed.
alter table audit_waiting add column announced_until timestamptz;
