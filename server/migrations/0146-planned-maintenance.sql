-- Maintenance that begins and ends by itself. Without an end it lasts until an operator removes the plan.
alter table maintenance
  add planned_from timestamptz,
  add planned_to timestamptz,
  add constraint maintenance_plan check (planned_to is null or planned_to > planned_from);

-- Whether new work is refused now. One place for all queries that ask.
create function maintenance_is_on() returns boolean language sql stable as $$
  select exists (
    select from maintenance
    where is_on or (planned_from <= now() and (planned_to is null or planned_to > now())))
$$;
