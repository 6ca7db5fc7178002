-- Where a session was started: users recognize their own, and end those that they do not know.
alter table session add column user_agent text;
alter table session add column address text;
