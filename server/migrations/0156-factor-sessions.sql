-- Whether a session was opened with a second factor or has added the first one, and when its user authenticated: the
-- provider keeps a sign-in for some minutes, so that a session can be newer. Sessions that exist must confirm first.
alter table session add column with_factor boolean not null default false;
alter table sso_token add column with_factor boolean not null default false;
alter table sso_token add column authenticated_on timestamptz;
