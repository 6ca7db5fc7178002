-- The workers whose claim of the operation ended because their lease expired: their process died while it worked on it, or it has
-- not reported since. A worker that reports again removes itself.
alter table operation add column lost_workers uuid[] not null default '{}';
