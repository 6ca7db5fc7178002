-- The names of what an organisation decoded in the last minutes that begin like a new one, ignoring case. Volatile, so that a
-- statement that calls it with the rows of `lock_end` also sees what others have committed while it waited for the lock.
create function recent_names(of_organisation uuid, beginning text) returns text[] language plpgsql volatile as $$
begin
  return array(
    select result ->> 'name' from operation
    where organisation_guid = of_organisation and completed_on > now() - interval '10 minutes'
      and status = 'succeeded' and result ->> 'kind' = 'decode'
      and starts_with(lower(result ->> 'name'), lower(beginning)));
end $$;
