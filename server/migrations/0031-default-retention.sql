-- How long jobs are kept where neither the operator nor the organisation has chosen: a year in new installations. Those that
-- already have organisations keep what they had.
create table installation (
  only_row boolean primary key default true check (only_row),
  retention_days integer not null
);
insert into installation (retention_days)
select case when exists (select from organisation) then 30 else 365 end;
