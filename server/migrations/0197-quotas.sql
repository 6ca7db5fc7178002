-- The storage quota of an organisation, in GiB; null: the one of the settings.
alter table organisation add column quota_gib integer check (quota_gib between 1 and 1000000);

-- The functions of migrations 0130 and 0131 also return it, in bytes.
drop function lock_end(uuid, integer, uuid, uuid, uuid, uuid);
drop function lock_usage(uuid, uuid);
drop function usage_of(uuid, uuid);

create function usage_of(uuid, except_operation uuid)
  returns table (others integer, of_trays integer, used_bytes bigint, own_quota bigint) language sql stable as $$
  select
    (count(*) filter (where not is_background and not is_of_tray))::integer,
    (count(*) filter (where not is_background and is_of_tray))::integer,
    (select stored_bytes from organisation where guid = $1)
      + coalesce(sum(reserved_bytes) filter (where guid is distinct from $2), 0)::bigint,
    (select quota_gib * 1073741824::bigint from organisation where guid = $1)
  from operation
  where organisation_guid = $1 and status in ('waiting', 'running')
$$;

create function lock_usage(uuid, except_operation uuid)
  returns table (others integer, of_trays integer, used_bytes bigint, own_quota bigint) language plpgsql as $$
begin
  -- not `for update`: the foreign keys of other rows must not wait
  perform from organisation where guid = $1 for no key update;
  if not found then
    raise exception 'there is no organisation %', $1;
  end if;
  return query select usage.* from usage_of($1, $2) as usage;
end
$$;

create function lock_end(
  of_operation uuid, of_attempt integer, of_slave uuid, of_master uuid, of_slot uuid, of_organisation uuid)
  returns table (
    is_held boolean, slave_guid uuid, master_guid uuid, has_slot boolean,
    others integer, of_trays integer, used_bytes bigint, own_quota bigint) language plpgsql as $$
begin
  perform from operation where guid = of_operation and attempt = of_attempt and status = 'running' for update;
  is_held := found;
  if is_held then
    -- the devices before the slot: removing one locks it first, then its slots; slaves before masters, as the directory does
    select guid into slave_guid from slave_device where guid = of_slave for key share;
    select guid into master_guid from master_device where guid = of_master for key share;
    -- not `for update`: the foreign keys of other rows must not wait
    perform from slot where guid = of_slot and organisation_guid = of_organisation and deleted_on is null
      for no key update;
    has_slot := found;
    select usage.* into others, of_trays, used_bytes, own_quota from lock_usage(of_organisation, of_operation) as usage;
  end if;
  return next;
end
$$;
