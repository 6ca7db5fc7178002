-- Operators suspend an account: the user cannot sign in until an operator restores it. Managers suspend a membership
-- only, which this does not change.
alter table account add column is_suspended boolean not null default false;
