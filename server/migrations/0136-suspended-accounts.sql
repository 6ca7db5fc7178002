-- Operators suspend an account: nobody signs in to it until an operator gives it access to the portal again. Managers
-- suspend a membership only, which this does not change.
alter table account add column is_suspended boolean not null default false;
