-- What an organisation uses of its quotas: unfinished operations that users see, those of trays apart, and the bytes of its
-- files with what unfinished operations other than one have reserved.
create function usage_of(uuid, except_operation uuid)
  returns table (others integer, of_trays integer, used_bytes bigint) language sql stable as $$
  select
    (count(*) filter (where not is_background and not is_of_tray))::integer,
    (count(*) filter (where not is_background and is_of_tray))::integer,
    (select stored_bytes from organisation where guid = $1)
      + coalesce(sum(reserved_bytes) filter (where guid is distinct from $2), 0)::bigint
  from operation
  where organisation_guid = $1 and status in ('waiting', 'running')
$$;

-- The same, after locking the organisation's row until the transaction ends. Each statement of such a function has its own
-- snapshot: what others committed while this one waited for the lock counts, which it would not in a single query.
create function lock_usage(uuid, except_operation uuid)
  returns table (others integer, of_trays integer, used_bytes bigint) language plpgsql as $$
begin
  -- not `for update`: the foreign keys of other rows must not wait
  perform from organisation where guid = $1 for no key update;
  if not found then
    raise exception 'there is no organisation %', $1;
  end if;
  return query select usage.* from usage_of($1, $2) as usage;
end
$$;
