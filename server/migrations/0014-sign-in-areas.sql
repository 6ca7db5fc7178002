-- The wider network of a sign-in attempt: one customer of a hosting provider has many addresses.

-- attempts count for a quarter of an hour, so none is missed
delete from sign_in_attempt;
-- SHA-256 of an IPv4 /24 or an IPv6 /48
alter table sign_in_attempt add column area bytea not null;
create index sign_in_attempt_area on sign_in_attempt (area, attempted_on);
